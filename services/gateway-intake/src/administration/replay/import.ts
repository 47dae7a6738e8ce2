import { type Answer, newProcessId } from '@order-automation/contracts';
import { unknownConnection } from '../../connections/connections';
import { receiveAll } from '../../receiving/receive';
import { importBegun } from '../change-log/change-entries';
import { recordChange } from '../change-log/change-log';
import type { Parts } from '../parts';
import { unknownGateway } from '../senders/gateways';
import { ownWebhook } from '../tests/test-send';

/**
 * Events that the gateway exported, as if they had been received: an administrator vouches for them, so nothing is signed, and they say
 * `channel: import`. The keys are those of the webhooks: what came before is a duplicate.
 */
export const importEvents: Answer<'intake.import.v1', Parts> = async (
  { gateway, connection, lines, begins },
  parts,
) => {
  if (!parts.router.adapterFor(gateway)) throw unknownGateway(gateway);
  if (connection !== null && !parts.connections.byName(connection)) throw unknownConnection(connection);
  if (begins) await recordChange(parts, importBegun({ gateway, connection, ...begins }));
  const now = parts.clock.now();
  const headers = { 'content-type': ['application/json'] };
  const webhooks = lines.map((line) =>
    ownWebhook({ gateway, connection, process_id: newProcessId(now) }, { headers, body: Buffer.from(line) }, now),
  );
  const received = await receiveAll(parts, webhooks, { vouched: 'import' });
  const kinds = received.map(({ outcome }) => outcome.kind);
  return {
    accepted: kinds.filter((kind) => kind === 'accepted').length,
    duplicates: kinds.filter((kind) => kind === 'duplicate').length,
    refused: received.flatMap(({ outcome }, line) => {
      if (outcome.kind === 'refused') return [{ line: line + 1, reason: outcome.refusal.text }];
      return outcome.kind === 'not_stored' ? [{ line: line + 1, reason: 'It could not be stored.' }] : [];
    }),
  };
};
