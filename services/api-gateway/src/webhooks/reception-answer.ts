import type { Reception, WebhookLimit } from '@order-automation/contracts';

/** Section 4.3 of the specification, rules 2 and 3, as the text of the body. `elapsed` in milliseconds. */
export function receptionText(reception: Reception, elapsed: number): string {
  const { process_id } = reception;
  const message = JSON.stringify(reception.message);
  if (!reception.success) return `{"success":false,"message":${message},"process_id":"${process_id}"}`;
  const duplicate = reception.duplicate ? ',"duplicate":true' : '';
  return (
    `{"success":true,"message":${message},"events_processed":${reception.events_processed},` +
    `"process_id":"${process_id}","execution_time":"${Math.round(elapsed)}ms"${duplicate}}`
  );
}

/** The failure body for a webhook that intake has not seen. */
export const failureText = (message: string, processId: string): string =>
  `{"success":false,"message":${JSON.stringify(message)},"process_id":"${processId}"}`;

/** The limit of webhooks that prove nothing, in the words of draft-ietf-httpapi-ratelimit-headers: names and values in turn. */
export function limitHeaders({ quota, remaining, reset_seconds }: WebhookLimit): readonly string[] {
  const name = '"unproven"';
  return ['RateLimit-Policy', `${name};q=${quota}`, 'RateLimit', `${name};r=${remaining};t=${reset_seconds}`];
}
