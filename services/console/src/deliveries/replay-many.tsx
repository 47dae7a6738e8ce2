import { useEffect, useState } from 'preact/hooks';
import { Dialog, say } from '../shell/dialogs';
import { plural } from '../shell/format';
import { useAction } from '../shell/load';
import { Problem, Waiting } from '../shell/parts';
import { api } from '../shell/session';

const filter = { state: 'dead' } as const;

/** Says how many events were given up, then replays them. */
export function ReplayMany({ close, done }: { close: () => void; done: () => Promise<void> }) {
  const [matching, setMatching] = useState<number>();
  const { busy, failure, run } = useAction();
  useEffect(() => {
    void run(() => api('POST /v1/webhooks/events/replay', { body: { filter, preview: true } })).then((answer) =>
      setMatching(answer?.matching),
    );
  }, []);
  const replay = async () => {
    const sent = await run(() => api('POST /v1/webhooks/events/replay', { body: { filter, preview: false } }));
    if (!sent) return;
    say(
      sent.remaining > 0
        ? `${plural(sent.replayed, 'event')} replayed; ${sent.remaining} more follow.`
        : `${plural(sent.replayed, 'event')} replayed.`,
    );
    close();
    await done();
  };
  return (
    <Dialog title="Replay what was given up?" close={close}>
      <Problem failure={failure} />
      {matching === undefined && !failure && <Waiting rows={1} />}
      {matching !== undefined && (
        <p>
          {matching === 0
            ? 'No event was given up.'
            : `${plural(matching, 'event is', 'events are')} evaluated again with the rules as they are now. What has taken effect does not take effect twice.`}
        </p>
      )}
      <p class="buttons">
        <button type="button" class="main" disabled={busy || !matching} onClick={() => void replay()}>
          Replay
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
