import { plural } from '../shell/format';
import { api } from '../shell/session';
import { ManyDialog } from './many-dialog';

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
  return (
    <ManyDialog
      title="Send failed deliveries again?"
      confirm="Send again"
      text={(matching) =>
        matching === 0
          ? 'No failed delivery passes these filters.'
          : `${plural(matching, 'delivery is', 'deliveries are')} sent again, each under the key it has, so that whoever got it already can tell.`
      }
      work={(preview) => api('POST /v1/deliveries/resend', { body: { filter, preview } })}
      done={({ matching }) => `${plural(matching, 'delivery', 'deliveries')} back in the queue.`}
      close={close}
      reload={done}
    />
  );
}
