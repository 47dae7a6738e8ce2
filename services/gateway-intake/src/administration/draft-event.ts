import { type RequestInput, type RequestOutput, ServiceError } from '@order-automation/contracts';
import { displayNameOf } from '../gateways/adapter';
import { inspect } from '../receiving/inspect';
import type { Parts } from './parts';
import { adapterOf, contextOf, eventTypeOf, ownWebhook } from './test-send';

/**
 * What a webhook would be read as. The body is the one that the gateway's test sends; an adapter that nobody configured makes it too, because nothing
 * has to be signed. Nothing is counted, limited or stored.
 */
export async function draftEvent(
  parts: Parts,
  { gateway, event_type, order, process_id }: RequestInput<'intake.event.draft.v1'>,
): Promise<RequestOutput<'intake.event.draft.v1'>> {
  const adapter = adapterOf(parts, { gateway, connection: null });
  const now = parts.clock.now();
  const eventType = eventTypeOf(adapter, event_type);
  const sample =
    adapter.draft?.(eventType, order, now) ??
    adapter.sample?.(eventType, order, now, contextOf(null, parts.connections));
  if (!sample) throw notPossible(`${displayNameOf(adapter)} makes no sample of it.`);
  const webhook = ownWebhook({ gateway, connection: null, process_id }, sample, now);
  // A sender that needs no proof is not proven; of all others an authentic webhook is meant.
  const isPermissive = adapter.gateway === 'generic';
  const asSent = isPermissive ? await inspect(parts, webhook, { now }) : null;
  const inspection = asSent?.kind === 'accepted' ? asSent : await inspect(parts, webhook, { now, imported: true });
  if (inspection.kind === 'refused') throw notPossible(inspection.refusal.text);
  return {
    events: inspection.events.map((event) => ({ ...event, channel: 'webhook' })),
    webhook: { connection: null, body_bytes: webhook.body.length, metadata: inspection.metadata },
  };
}

const notPossible = (reason: string): ServiceError =>
  new ServiceError(400, 'svc_test_not_possible', `The event cannot be simulated: ${reason}`);
