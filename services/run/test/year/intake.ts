import type { Bus } from '@order-automation/bus';
import { newProcessId, type ReceivedWebhook, type Reception } from '@order-automation/contracts';
import { connections } from './generic';
import { senderSecrets } from './senders';

type Sent = Pick<ReceivedWebhook, 'gateway' | 'connection' | 'headers'> & { readonly body: string };

/** A webhook as the edge hands it over. `now` in milliseconds since the epoch. */
export const received = (webhook: Sent, now: number): ReceivedWebhook => ({
  ...webhook,
  body: Uint8Array.from(Buffer.from(webhook.body)),
  process_id: newProcessId(now),
  received_at: new Date(now).toISOString(),
  refused: null,
});

export const answered = ({ success, message, process_id, duplicate }: Reception) => ({
  process_id,
  answer: duplicate ? 'duplicate' : success ? 'accepted' : `refused: ${message}`,
});

/** The two connections over which generic events come. */
export async function createConnections(bus: Bus): Promise<void> {
  const { major, minor } = connections;
  const fields = { auth_method: 'hmac', secret: senderSecrets.connection } as const;
  const create = (name: string, more: object = {}) =>
    bus.request('intake.connection.create.v1', { name, fields: { ...fields, ...more } }, { timeout: 60_000 });
  await create(major);
  await create(minor, { amount_unit: 'minor' });
}
