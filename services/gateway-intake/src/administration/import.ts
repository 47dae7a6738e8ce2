import { newProcessId, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import { type Receiving, receiveAll } from '../receiving/receive';
import { importBegun } from './change-entries';
import { recordChange } from './change-log';
import { unknownConnection } from './connections';
import { unknownGateway } from './gateways';

/**
 * Events that the gateway exported, as if they had been received: an administrator vouches for them, so nothing is signed, and they say
 * `channel: import`. The keys are those of the webhooks: what came before is a duplicate.
 */
export async function importEvents(
  receiving: Receiving,
  { gateway, connection, lines, begins }: RequestInput<'intake.import.v1'>,
): Promise<RequestOutput<'intake.import.v1'>> {
  if (!receiving.router.adapterFor(gateway)) throw unknownGateway(gateway);
  if (connection !== null && !receiving.connections.byName(connection)) throw unknownConnection(connection);
  if (begins) await recordChange(receiving, importBegun({ gateway, connection, ...begins }));
  const now = receiving.clock.now();
  const webhooks = lines.map((line) => ({
    process_id: newProcessId(now),
    gateway,
    connection,
    headers: { 'content-type': ['application/json'] },
    body: Uint8Array.from(Buffer.from(line)),
    received_at: new Date(now).toISOString(),
    refused: null,
  }));
  const received = await receiveAll(receiving, webhooks, { imported: true });
  const kinds = received.map(({ outcome }) => outcome.kind);
  return {
    accepted: kinds.filter((kind) => kind === 'accepted').length,
    duplicates: kinds.filter((kind) => kind === 'duplicate').length,
    refused: received.flatMap(({ outcome }, line) => {
      if (outcome.kind === 'refused') return [{ line: line + 1, reason: outcome.refusal.text }];
      return outcome.kind === 'not_stored' ? [{ line: line + 1, reason: 'It could not be stored.' }] : [];
    }),
  };
}
