import { createHmac } from 'node:crypto';
import type { Bus, Message } from '@order-automation/bus';
import {
  type EventDone,
  message,
  type NewAuditEntry,
  newProcessId,
  type ReceivedWebhook,
  type Reception,
} from '@order-automation/contracts';
import {
  createMetrics,
  type OutboxDocument,
  outboxIndexes,
  parseConfig,
  type Service,
  type ServiceDeps,
} from '@order-automation/service';
import type { Documents } from '@order-automation/store';
import { type Lane, type LaneDeps, type SettableClock, settableClock } from '@order-automation/testing';
import {
  type InboxDocument,
  type InboxEvent,
  type IntakeConfig,
  inboxIndexes,
  intakeConfiguration,
  joined,
  type PayloadDocument,
  startIntake,
} from '../src';
import { payloadIndexes } from '../src/inbox/payloads';

export const cardSecret = 'whsec_integration_0123456789';

let latest = 0;

/** A clock to set that starts where the last one stood at the latest: ids sort by time, and never go back. */
export function laterClock(): SettableClock {
  const clock = settableClock(Math.max(Date.now(), latest));
  return {
    ...clock,
    advance: (milliseconds) => {
      clock.advance(milliseconds);
      latest = Math.max(latest, clock.now());
    },
  };
}

export type Peers = {
  /** What audit has confirmed, in order of arrival; every entry counts once by its uid. */
  readonly entries: Map<string, NewAuditEntry>;
  /** How often each uid was handed over. */
  readonly handed: Map<string, number>;
  readonly events: Message<'intake.event-received.v1'>[];
  audit: 'up' | 'down';
  /** `reports_done`: evaluation reports each event when it arrives; otherwise the relay publishes it after its delay. */
  evaluation: 'silent' | 'reports_done';
  /** Requests that audit refused. */
  refused: number;
  finish(eventId: string, done?: Partial<EventDone>): Promise<void>;
  /** The event's group comes into being now: what was published before is lost to it. */
  listen(): Promise<void>;
};

/** Audit and evaluation as the intake sees them, at the other end of the bus. */
export async function startPeers(bus: Bus): Promise<Peers> {
  const reportDone = (events: EventDone[]): Promise<void> =>
    bus.publish(message('evaluation.events-done.v1', { events }, { now: Date.now() }));
  const peers: Peers = {
    entries: new Map(),
    handed: new Map(),
    events: [],
    audit: 'up',
    refused: 0,
    evaluation: 'silent',
    finish: (eventId, done) => reportDone([{ ...doneEvent(eventId), ...done }]),
    listen: async () => {
      await bus.subscribe(
        'intake.event-received.v1',
        'evaluation',
        async (messages) => {
          peers.events.push(...messages);
          if (peers.evaluation === 'reports_done')
            await reportDone(messages.map(({ data }) => doneEvent(data.event.id)));
        },
        { maxBatch: 100 },
      );
    },
  };
  const record = (entries: readonly NewAuditEntry[]): { recorded: number; duplicates: number } => {
    if (peers.audit === 'down') {
      peers.refused += 1;
      throw new Error('audit is down');
    }
    for (const entry of entries) {
      peers.handed.set(entry.uid, (peers.handed.get(entry.uid) ?? 0) + 1);
      peers.entries.set(entry.uid, entry);
    }
    return { recorded: entries.length, duplicates: 0 };
  };
  await bus.respond('audit.record.v2', async ({ records }) =>
    record(records.flatMap(({ process_id, entries }) => entries.map((entry) => ({ ...entry, process_id })))),
  );
  return peers;
}

function doneEvent(eventId: string): EventDone {
  return {
    event_id: eventId,
    origin: 'intake',
    outcome: 'no_match',
    order_id: null,
    at: new Date().toISOString(),
    rules: [],
    matched: [],
  };
}

/** What an installation with a card secret has; `env` adds to it. */
export function configured(env: Readonly<Record<string, string>> = {}): IntakeConfig {
  return parseConfig(intakeConfiguration, {
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    GATEWAY_CARD_SECRETS: cardSecret,
    ...env,
  });
}

/** An intake with metrics of its own, so that several can run beside each other. */
export function start(deps: ServiceDeps, env: Readonly<Record<string, string>> = {}): Promise<Service> {
  return startIntake({ ...deps, metrics: createMetrics('gateway-intake') }, configured(env));
}

export type Running = {
  readonly clock: SettableClock;
  readonly deps: LaneDeps;
  readonly peers: Peers;
  readonly service: Service;
};

/** An intake with its peers and a clock to set. `listens`: evaluation's group exists from the start. */
export async function running(lane: Lane, { listens = true } = {}): Promise<Running> {
  const clock = laterClock();
  const deps = await lane.deps({ clock });
  const peers = await startPeers(deps.bus);
  if (listens) await peers.listen();
  return { clock, deps, peers, service: await start(deps) };
}

export function genericWebhook(
  payload: Record<string, unknown> | string,
  overrides: Partial<ReceivedWebhook> = {},
): ReceivedWebhook {
  return {
    process_id: newProcessId(Date.now()),
    gateway: 'generic',
    connection: null,
    headers: { 'content-type': ['application/json'] },
    body: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
    received_at: new Date().toISOString(),
    refused: null,
    ...overrides,
  };
}

type CardWebhook = {
  readonly type?: string;
  readonly secret?: string;
  readonly isThin?: boolean;
  readonly pad?: number;
};

/** A card webhook with a true signature. `now` in milliseconds since the epoch. `isThin`: it does not hold the object that it is about. */
export function cardWebhook(
  eventId: string,
  now: number,
  { type = 'payment_intent.succeeded', secret = cardSecret, isThin = false, pad = 0 }: CardWebhook = {},
): ReceivedWebhook {
  const object = {
    id: `pi_${eventId}`,
    object: 'payment_intent',
    amount: 4900,
    currency: 'eur',
    metadata: { order_id: '1001' },
  };
  const body = JSON.stringify({
    id: eventId,
    type,
    created: Math.floor(now / 1000),
    ...(!isThin && { data: { object } }),
    ...(pad > 0 && { pad: 'x'.repeat(pad) }),
  });
  const t = Math.floor(now / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return { ...genericWebhook(body), gateway: 'gateway_card', headers: { 'card-signature': [`t=${t},v1=${v1}`] } };
}

export async function receive(bus: Bus, webhooks: readonly ReceivedWebhook[], timeout = 15_000): Promise<Reception[]> {
  const { receptions } = await bus.request('intake.receive.v1', { webhooks: [...webhooks] }, { timeout });
  return receptions;
}

export async function receiveOne(bus: Bus, webhook: ReceivedWebhook): Promise<Reception> {
  const [reception] = await receive(bus, [webhook]);
  if (!reception) throw new Error('no reception');
  return reception;
}

export function inboxOf({ store }: Pick<ServiceDeps, 'store'>): Promise<Documents<InboxDocument>> {
  return store.collection<InboxDocument>('inbox', inboxIndexes);
}

export function payloadsOf({ store }: Pick<ServiceDeps, 'store'>): Promise<Documents<PayloadDocument>> {
  return store.collection<PayloadDocument>('payloads', payloadIndexes);
}

/** Every stored event, in the order of arrival, with what became of it. */
export async function storedEvents(deps: Pick<ServiceDeps, 'store'>): Promise<InboxEvent[]> {
  const [inbox, payloads] = await Promise.all([inboxOf(deps), payloadsOf(deps)]);
  const all = await payloads.find({}).sort({ _id: 1 }).toArray();
  const documents = new Map((await inbox.find({}).toArray()).map((document) => [document._id, document]));
  return all.map((payload) => {
    const document = documents.get(payload._id);
    if (!document) throw new Error(`${payload._id} has no inbox document`);
    return joined(document, payload);
  });
}

/** Entries that audit has not confirmed yet. */
export async function unconfirmedEntries({ store }: Pick<ServiceDeps, 'store'>): Promise<number> {
  return (await store.collection<OutboxDocument>('audit_outbox', outboxIndexes)).countDocuments({});
}
