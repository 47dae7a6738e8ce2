import { plural } from '../shell/format';
import { api } from '../shell/session';
import { ManyDialog } from './many-dialog';

const filter = { state: 'dead' } as const;

/** Says how many events were given up, then replays them. */
export function ReplayMany({ close, done }: { close: () => void; done: () => Promise<void> }) {
  return (
    <ManyDialog
      title="Replay what was given up?"
      confirm="Replay"
      text={(matching) =>
        matching === 0
          ? 'No event was given up.'
          : `${plural(matching, 'event is', 'events are')} evaluated again with the rules as they are now. What has taken effect does not take effect twice.`
      }
      work={(preview) => api('POST /v1/webhooks/events/replay', { body: { filter, preview } })}
      done={({ replayed, remaining }) =>
        `${plural(replayed, 'event')} replayed${remaining > 0 ? `; ${remaining} more follow` : ''}.`
      }
      close={close}
      reload={done}
    />
  );
}
