import type { CallOf } from '@order-automation/api-gateway/client';
import { Act } from '../shell/act';
import { close, Dialog } from '../shell/dialogs';
import { countText, plural } from '../shell/format';
import { useAction, useLoad, type Work } from '../shell/load';
import { Button, Problem, Shown } from '../shell/parts';
import { api } from '../shell/session';

type ManyDialogProps<T> = {
  readonly title: string;
  readonly confirm: string;
  /** What will happen to so many; also to none. */
  readonly text: (matching: number) => string;
  readonly work: (preview: boolean) => ReturnType<Work<T>>;
  /** Shown once it has begun. */
  readonly started: (answer: T) => string;
} & DoneProps;
type DoneProps = { readonly done: () => Promise<void> };

/** Says how many match, then does it to all of them. */
function ManyDialog<T extends { readonly matching: number }>(props: ManyDialogProps<T>) {
  const { title, confirm, text, work, started, done } = props;
  const preview = useLoad(() => work(true), []);
  const action = useAction();
  return (
    <Dialog title={title}>
      <Problem failure={action.failure} />
      <Shown of={preview} rows={1}>
        {({ matching }) => <p>{text(matching)}</p>}
      </Shown>
      <p class="buttons">
        <Act
          text={confirm}
          class="main"
          disabled={!preview.data?.matching}
          action={action}
          work={() => work(false)}
          done={started}
          then={() => {
            close();
            return done();
          }}
        />
        <Button text="Cancel" act={close} />
      </p>
    </Dialog>
  );
}

type ReplayFilter = CallOf<'POST /v1/webhooks/events/replay'>['body']['filter'];

/** Replays the events that match the filter and are at their end. */
export function ReplayMany({ filter, ...props }: DoneProps & { readonly filter: ReplayFilter }) {
  return (
    <ManyDialog
      {...props}
      title="Replay these events?"
      confirm="Replay"
      text={(matching) =>
        matching === 0
          ? 'No evaluated event matches these filters. Events that wait are evaluated by themselves.'
          : `${plural(matching, 'event is', 'events are')} evaluated again with the current rules. Actions that were already done are not done twice. Events that still wait, and earlier replays, are left out.`
      }
      work={(preview) => api('POST /v1/webhooks/events/replay', { body: { filter, preview } })}
      started={({ replayed, remaining }) =>
        `${plural(replayed, 'event')} replayed${remaining > 0 ? `; ${countText(remaining)} to go` : ''}.`
      }
    />
  );
}

type ResendFilter = CallOf<'POST /v1/deliveries/resend'>['body']['filter'];

/** Sends the failed deliveries that match the filter again. */
export function ResendMany({ filter, ...props }: DoneProps & { readonly filter: ResendFilter }) {
  return (
    <ManyDialog
      {...props}
      title="Send failed deliveries again?"
      confirm="Send again"
      text={(matching) =>
        matching === 0
          ? 'No failed delivery matches these filters. Pending ones are sent again by themselves.'
          : `${plural(matching, 'delivery is', 'deliveries are')} sent again. Receivers can recognise what they have already: the Idempotency-Key is the same.`
      }
      work={(preview) => api('POST /v1/deliveries/resend', { body: { filter, preview } })}
      started={({ matching }) => `${plural(matching, 'delivery', 'deliveries')} back in the queue.`}
    />
  );
}
