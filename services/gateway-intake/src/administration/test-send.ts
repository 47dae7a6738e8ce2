import {
  invalidParameters,
  nearest,
  newId,
  newProcessId,
  type RequestInput,
  type RequestOutput,
  ServiceError,
} from '@order-automation/contracts';
import { type Context, displayNameOf, type GatewayAdapter, genericTypeOf } from '../gateways/adapter';
import { finishedStates, type InboxEvent } from '../inbox/documents';
import { type Received, type Receiving, receiveAll } from '../receiving/receive';
import { gatewayTested } from './change-entries';
import { recordChange, someone } from './change-log';
import { unknownConnection } from './connections';
import { unknownGateway } from './gateways';
import { entriesOfProcess } from './process-entries';
import { recommendations } from './recommendations';
import { orderFor, type TestOrderDeps } from './test-order';

export type TestParts = Receiving & TestOrderDeps;
type Input = RequestInput<'intake.test.send.v1'>;
type Output = RequestOutput<'intake.test.send.v1'>;

/**
 * Sends a synthetic webhook through the whole receiving path, with a real signature and flagged as a test: evaluation decides about it and
 * carries nothing out. Resolves when it is finished, or after `input.patience` milliseconds.
 */
export async function sendTest(parts: TestParts, input: Input): Promise<Output> {
  const adapter = adapterOf(parts, input);
  const context = contextOf(input.connection, parts.connections);
  const eventType = eventTypeOf(adapter, input.event_type);
  const now = parts.clock.now();
  const testId = newId('evt', now).replace('evt_', 'test_');
  const type = genericTypeOf(adapter, eventType);
  const { order, orderId, doubt } = await orderFor(parts, { id: input.order_id, type, testId });
  const sample = adapter.sample?.(eventType, order, now, context);
  if (!sample) return unsigned(parts, adapter, { testId, eventType, orderId, by: input.by ?? someone });
  const started = performance.now();
  const webhook = {
    process_id: newProcessId(now),
    gateway: adapter.gateway,
    connection: input.connection,
    headers: Object.fromEntries(Object.entries(sample.headers).map(([name, values]) => [name, [...values]])),
    body: Uint8Array.from(sample.body),
    received_at: new Date(now).toISOString(),
    refused: null,
  };
  const [received] = await receiveAll(parts, [webhook], { test: { id: testId, proof: sample.testProof } });
  const intakeMs = performance.now() - started;
  if (!received) throw new Error('nothing was received');
  const finished = await finishedDocument(parts, received, input.patience - intakeMs);
  const evaluationMs = finished ? performance.now() - started - intakeMs : null;
  const entries = await entriesOfProcess(parts.bus, webhook.process_id);
  const result = resultOf(received, finished);
  const { outcome } = received;
  const reason = outcome.kind === 'refused' ? outcome.refusal.text : (finished?.reason ?? null);
  const tested = {
    gateway: input.connection === null ? adapter.gateway : `${adapter.gateway}/${input.connection}`,
    eventType,
  };
  await recordChange(
    parts,
    gatewayTested(input.by ?? someone, { ...tested, process_id: webhook.process_id, result, reason }),
  );
  return {
    test_id: testId,
    event_type: eventType,
    order_id: finished?.order_id ?? orderId,
    success: result === 'evaluated' && finished?.state === 'done',
    process_id: webhook.process_id,
    events_processed: outcome.kind === 'accepted' ? outcome.events : 0,
    result,
    outcome: finished?.outcome ?? null,
    reason,
    entries,
    intake_ms: intakeMs,
    evaluation_ms: evaluationMs,
    recommendations: await recommendations(parts, { adapter, received, finished, entries, context, doubt }),
  };
}

/** 404 `svc_gateway_not_found`, `svc_connection_not_found`; 400 `svc_test_not_possible` where the adapter makes no samples. */
export function adapterOf(
  { router }: Pick<TestParts, 'router'>,
  { gateway, connection }: Pick<Input, 'gateway' | 'connection'>,
): GatewayAdapter {
  const adapter = router.adapterFor(gateway);
  if (!adapter) throw unknownGateway(gateway);
  if (connection !== null && gateway !== 'generic') throw unknownConnection(connection);
  if (!adapter.sample) throw noTest(adapter);
  return adapter;
}

function noTest(adapter: GatewayAdapter): ServiceError {
  return new ServiceError(
    400,
    'svc_test_not_possible',
    `${displayNameOf(adapter)} cannot be tested: its adapter makes no samples.`,
  );
}

type Unsigned = {
  readonly testId: string;
  readonly eventType: string;
  readonly orderId: number | null;
  readonly by: string;
};

const onlyPublicKey = 'Only a public key is configured: it verifies webhooks and signs none.';

/** The result where nothing can be signed: the gateway is not configured, or its secret is a public key. */
async function unsigned(
  parts: TestParts,
  adapter: GatewayAdapter,
  { testId, eventType, orderId, by }: Unsigned,
): Promise<Output> {
  const state = adapter.status?.(parts.clock.now()) ?? { active: true };
  const reason = state.active ? (adapter.unsigned ?? onlyPublicKey) : state.reason;
  const process_id = newProcessId(parts.clock.now());
  const result = 'refused' as const;
  await recordChange(parts, gatewayTested(by, { gateway: adapter.gateway, eventType, process_id, result, reason }));
  return {
    test_id: testId,
    event_type: eventType,
    order_id: orderId,
    success: false,
    process_id,
    events_processed: 0,
    result,
    outcome: null,
    reason,
    entries: [],
    intake_ms: 0,
    evaluation_ms: null,
    recommendations: [`${displayNameOf(adapter)} cannot be tested yet: ${reason}`],
  };
}

/** 404 `svc_connection_not_found`. */
export function contextOf(name: string | null, connections: Pick<TestParts['connections'], 'byName'>): Context {
  const connection = name === null ? null : connections.byName(name);
  if (connection === undefined) throw unknownConnection(name ?? '');
  return { connection, otherConnections: () => [], withinRate: true, testProof: null };
}

/** One of the adapter's ids, of its original names, or of the types in events (`payment.card.…`); a generic type stands for the first id that means it. 400 for any other. */
export function eventTypeOf(adapter: GatewayAdapter, wanted: string | undefined): string {
  const ids = adapter.getSupportedEventTypes();
  if (wanted === undefined)
    return ids.find((id) => adapter.mapEventType(id) === 'payment_completed') ?? ids[0] ?? 'payment_completed';
  const spelled = wanted.replace(/^payment\.[^.]+\./, '').replaceAll('.', '_');
  const generic = genericTypeOf(adapter, wanted);
  const meant =
    ids.find((id) => id === wanted || id === spelled) ??
    ids.find((id) => adapter.mapEventType(id) === wanted) ??
    ids.find((id) => generic !== null && adapter.mapEventType(id) === generic);
  if (meant !== undefined) return meant;
  const close = nearest(spelled.slice(0, 100), ids);
  const hint =
    close === undefined
      ? `GET /v1/webhooks/test/${adapter.gateway}/events lists those that it has`
      : `did you mean ${close}? GET /v1/webhooks/test/${adapter.gateway}/events lists them all`;
  throw invalidParameters([{ path: 'event_type', message: `is no event type of ${adapter.gateway}; ${hint}` }]);
}

const lookEvery = 25;

/** The stored event when evaluation has finished it; undefined when it has not in `timeout` milliseconds, or nothing was stored. */
async function finishedDocument(
  { collections: { inbox } }: TestParts,
  { documents: [document] }: Received,
  timeout: number,
): Promise<InboxEvent | undefined> {
  if (!document) return undefined;
  const deadline = performance.now() + timeout;
  for (;;) {
    const [found] = await inbox.byIds([document._id]);
    if (found && finishedStates.includes(found.state)) return { ...document, ...found };
    if (performance.now() > deadline) return undefined;
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
  }
}

function resultOf({ outcome }: Received, finished: InboxEvent | undefined): Output['result'] {
  if (outcome.kind === 'refused' || outcome.kind === 'not_stored') return outcome.kind;
  return finished ? 'evaluated' : 'unfinished';
}
