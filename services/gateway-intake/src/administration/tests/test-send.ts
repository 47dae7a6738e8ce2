import {
  type Answer,
  invalidParameters,
  nearest,
  newId,
  newProcessId,
  type ReceivedWebhook,
  type RequestInput,
  type RequestOutput,
  ServiceError,
} from '@order-automation/contracts';
import { unknownConnection } from '../../connections/connections';
import {
  type Context,
  displayNameOf,
  type GatewayAdapter,
  genericTypeOf,
  type SampleWebhook,
} from '../../gateways/adapter';
import { finishedStates, type InboxEvent } from '../../inbox/documents';
import { inspect } from '../../receiving/inspect';
import { type Received, receiveAll } from '../../receiving/receive';
import { gatewayTested } from '../change-log/change-entries';
import { recordChange, someone } from '../change-log/change-log';
import type { Parts } from '../parts';
import { entriesOfProcess, lookFor } from '../replay/events';
import { unknownGateway } from '../senders/gateways';
import { recommendations } from './recommendations';
import { orderFor } from './test-order';

type Input = RequestInput<'intake.test.send.v1'>;
type Output = RequestOutput<'intake.test.send.v1'>;

/**
 * Sends a synthetic webhook through the whole receiving path, with a real signature and flagged as a test: evaluation decides about it and
 * carries nothing out. Resolves when it is finished, or after `input.patience` milliseconds.
 */
export const sendTest: Answer<'intake.test.send.v1', Parts> = async (input, parts) => {
  const { connection, by = someone } = input;
  const adapter = adapterOf(parts, input);
  const context = contextOf(connection, parts.connections);
  const eventType = eventTypeOf(adapter, input.event_type);
  const now = parts.clock.now();
  const process_id = newProcessId(now);
  const testId = newId('evt', now).replace('evt_', 'test_');
  const type = genericTypeOf(adapter, eventType);
  const { order, orderId, doubt } = await orderFor(parts, { id: input.order_id, type, testId });
  const sample = adapter.sample?.(eventType, order, now, context);
  const sent = sample && (await send(parts, input, sample, { id: testId, process_id }));
  const { finished, entries = [], intake_ms = 0, evaluation_ms = null } = sent ?? {};
  const { result, reason } = sent ? resultOf(sent) : unsigned(adapter, now);
  const gateway = connection === null || !sent ? adapter.gateway : `${adapter.gateway}/${connection}`;
  await recordChange(parts, gatewayTested(by, { gateway, eventType, process_id, result, reason }));
  return {
    test_id: testId,
    event_type: eventType,
    order_id: finished?.order_id ?? orderId,
    success: result === 'evaluated' && finished?.state === 'done',
    process_id,
    events_processed: sent?.outcome.kind === 'accepted' ? sent.outcome.events : 0,
    result,
    outcome: finished?.outcome ?? null,
    reason,
    entries: [...entries],
    intake_ms,
    evaluation_ms,
    recommendations: sent
      ? await recommendations(parts, { adapter, context, doubt, ...sent })
      : [`${displayNameOf(adapter)} cannot be tested yet: ${reason}`],
  };
};

/** What became of the webhook: what was received, and the event when evaluation has finished it. */
async function send(
  parts: Parts,
  { gateway, connection, patience }: Input,
  sample: SampleWebhook,
  { id, process_id }: { readonly id: string; readonly process_id: string },
) {
  const started = performance.now();
  const webhook = ownWebhook({ gateway, connection, process_id }, sample, parts.clock.now());
  const [received] = await receiveAll(parts, [webhook], { test: { id, proof: sample.testProof } });
  if (!received) throw new Error('nothing was received');
  const intake_ms = performance.now() - started;
  const finished = await finishedDocument(parts, received, patience - intake_ms);
  const evaluation_ms = finished ? performance.now() - started - intake_ms : null;
  const entries = await entriesOfProcess(parts.bus, process_id);
  return { outcome: received.outcome, finished, entries, intake_ms, evaluation_ms };
}

export function ownWebhook(
  address: Pick<ReceivedWebhook, 'gateway' | 'connection' | 'process_id'>,
  { headers, body }: Pick<SampleWebhook, 'headers' | 'body'>,
  now: number,
): ReceivedWebhook {
  return {
    ...address,
    headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]])),
    body: Uint8Array.from(body),
    received_at: new Date(now).toISOString(),
    refused: null,
  };
}

/** 404 `svc_gateway_not_found`, `svc_connection_not_found`; 400 `svc_test_not_possible` where the adapter makes no samples. */
function adapterOf(
  { router }: Pick<Parts, 'router'>,
  { gateway, connection }: Pick<Input, 'gateway' | 'connection'>,
): GatewayAdapter {
  const adapter = router.adapterFor(gateway);
  if (!adapter) throw unknownGateway(gateway);
  if (connection !== null && gateway !== 'generic') throw unknownConnection(connection);
  if (adapter.sample) return adapter;
  const text = `${displayNameOf(adapter)} cannot be tested: its adapter makes no samples.`;
  throw new ServiceError(400, 'svc_test_not_possible', text);
}

const unsignable =
  'No test can be signed as this sender signs: its secret is missing or a public key, or its signature stands in the body. Let it send a test of its own.';

/** The result where nothing can be signed: the gateway is not configured, or its secret is a public key. */
function unsigned(adapter: GatewayAdapter, now: number): Pick<Output, 'result' | 'reason'> {
  const state = adapter.status?.(now) ?? { active: true };
  return { result: 'refused', reason: state.active ? (adapter.unsigned ?? unsignable) : state.reason };
}

/** 404 `svc_connection_not_found`. */
function contextOf(name: string | null, connections: Pick<Parts['connections'], 'byName'>): Context {
  const connection = name === null ? null : connections.byName(name);
  if (connection === undefined) throw unknownConnection(name ?? '');
  return { connection, otherConnections: () => [], withinRate: true, testProof: null };
}

/** One of the adapter's ids, of its original names, or of the types in events (`payment.card.…`); a generic type stands for the first id that means it. 400 for any other. */
function eventTypeOf(adapter: GatewayAdapter, wanted: string | undefined): string {
  const ids = adapter.getSupportedEventTypes();
  if (wanted === undefined)
    return ids.find((id) => adapter.mapEventType(id) === 'payment_completed') ?? ids[0] ?? 'payment_completed';
  const spelled = wanted.replace(/^payment\.[^.]+\./, '').replaceAll('.', '_');
  const generic = genericTypeOf(adapter, wanted);
  const meant =
    ids.find((id) => id === wanted || id === spelled) ??
    ids.find((id) => adapter.mapEventType(id) === wanted) ??
    ids.find((id) => generic !== null && adapter.mapEventType(id) === generic);
  // Section 6.3 of the specification: a type outside the list passes unchanged.
  if (meant !== undefined) return meant === 'custom_event' && wanted !== '' ? wanted : meant;
  const close = nearest(spelled.slice(0, 100), ids);
  const hint =
    close === undefined
      ? `GET /v1/webhooks/test/${adapter.gateway}/events lists those that it has`
      : `did you mean ${close}? GET /v1/webhooks/test/${adapter.gateway}/events lists them all`;
  throw invalidParameters([{ path: 'event_type', message: `is no event type of ${adapter.gateway}; ${hint}` }]);
}

/** The stored event when evaluation has finished it; undefined when it has not in `timeout` milliseconds, or nothing was stored. */
async function finishedDocument(
  { collections: { inbox } }: Parts,
  { documents: [document] }: Received,
  timeout: number,
): Promise<InboxEvent | undefined> {
  if (!document) return undefined;
  return lookFor(timeout, async () => {
    const [found] = await inbox.byIds([document._id]);
    return found && finishedStates.includes(found.state) && { ...document, ...found };
  });
}

type Sent = Pick<Received, 'outcome'> & { readonly finished: InboxEvent | undefined };

function resultOf({ outcome, finished }: Sent): Pick<Output, 'result' | 'reason'> {
  const reason = outcome.kind === 'refused' ? outcome.refusal.text : (finished?.reason ?? null);
  if (outcome.kind === 'refused' || outcome.kind === 'not_stored') return { result: outcome.kind, reason };
  return { result: finished ? 'evaluated' : 'unfinished', reason };
}

/**
 * What a webhook would be read as. The body is the one that the gateway's test sends; an adapter that nobody configured makes it too, because nothing
 * has to be signed. Nothing is counted, limited or stored.
 */
export const draftEvent: Answer<'intake.event.draft.v1', Parts> = async (
  { gateway, event_type, order, process_id },
  parts,
) => {
  const adapter = adapterOf(parts, { gateway, connection: null });
  const now = parts.clock.now();
  const eventType = eventTypeOf(adapter, event_type);
  const sample =
    adapter.draft?.(eventType, order, now) ??
    adapter.sample?.(eventType, order, now, contextOf(null, parts.connections));
  if (!sample) throw notPossible(`${displayNameOf(adapter)} makes no sample of it.`);
  const webhook = ownWebhook({ gateway, connection: null, process_id }, sample, now);
  // A sender that needs no proof is not proven; of all others an authentic webhook is meant.
  const asSent = adapter.gateway === 'generic' ? await inspect(parts, webhook, { now }) : null;
  const inspection = asSent?.kind === 'accepted' ? asSent : await inspect(parts, webhook, { now, vouched: 'import' });
  if (inspection.kind === 'refused') throw notPossible(inspection.refusal.text);
  return {
    events: inspection.events.map((event) => ({ ...event, channel: 'webhook' })),
    webhook: { connection: null, body_bytes: webhook.body.length, metadata: inspection.metadata },
  };
};

const notPossible = (reason: string): ServiceError =>
  new ServiceError(400, 'svc_test_not_possible', `The event cannot be simulated: ${reason}`);
