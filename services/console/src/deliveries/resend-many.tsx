import { useEffect, useState } from 'preact/hooks';
import { Dialog, say } from '../shell/dialogs';
import { plural } from '../shell/format';
import { useAction } from '../shell/load';
import { Problem, Waiting } from '../shell/parts';
import { api } from '../shell/session';

type Filter = {
  readonly state: 'failed';
  readonly kind?: 'webhook' | 'email';
  readonly order_id?: number;
  readonly rule_id?: number;
  readonly process_id?: string;
};
type ManyProps = { readonly filter: Filter; readonly close: () => void; readonly done: () => Promise<void> };

/** Says how many failed deliveries pass the filter, then sends them again. */
export function ResendMany({ filter, close, done }: ManyProps) {
  const [matching, setMatching] = useState<number>();
  const { busy, failure, run } = useAction();
  useEffect(() => {
    void run(() => api('POST /v1/deliveries/resend', { body: { filter, preview: true } })).then((answer) =>
      setMatching(answer?.matching),
    );
  }, []);
  const send = async () => {
    const sent = await run(() => api('POST /v1/deliveries/resend', { body: { filter, preview: false } }));
    if (!sent) return;
    say(`${plural(sent.matching, 'delivery', 'deliveries')} back in the queue.`);
    close();
    await done();
  };
  return (
    <Dialog title="Send failed deliveries again?" close={close}>
      <Problem failure={failure} />
      {matching === undefined && !failure && <Waiting rows={1} />}
      {matching !== undefined && (
        <p>
          {matching === 0
            ? 'No failed delivery passes these filters.'
            : `${plural(matching, 'delivery is', 'deliveries are')} sent again, each under the key it has, so that whoever got it already can tell.`}
        </p>
      )}
      <p class="buttons">
        <button type="button" class="main" disabled={busy || !matching} onClick={() => void send()}>
          Send again
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
