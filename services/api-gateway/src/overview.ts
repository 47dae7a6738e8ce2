import {
  endWarningSchema,
  isoTime,
  type RequestInput,
  type RequestOutput,
  type RequestType,
  recoveredSchema,
  requests,
} from '@order-automation/contracts';
import { z } from 'zod';
import type { Ask } from './http/call';
import type { Edge } from './http/edge';
import type { Licence } from './licence';

/** What services count of trouble; null where one does not answer. Notifications read the same as `GET /v1/overview`. */
export type ServiceFigures = Awaited<ReturnType<typeof serviceFigures>>;

/** Asks a service; undefined where it does not answer. */
export type SoftAsk = <T extends RequestType>(type: T, input: RequestInput<T>) => Promise<RequestOutput<T> | undefined>;

/** What does not answer in the time that `ask` leaves it is missing from the answer, and keeps nobody else's from it. */
export const softly =
  (ask: Ask): SoftAsk =>
  (type, input) =>
    ask(type, input).catch(() => undefined);

export async function serviceFigures(ask: SoftAsk) {
  const [intake, evaluation] = await Promise.all([
    ask('intake.figures.get.v1', {}),
    ask('evaluation.figures.get.v1', {}),
  ]);
  return { intake: intake ?? null, evaluation: evaluation ?? null };
}

const time = z.iso.datetime();
const count = z.int().nullable();
const counted = z.object({ total: z.int(), since: time.nullable() });

type Warning = z.output<typeof endWarningSchema>;

/** Each figure has one definition, of which docs/operations/figures.md is the list. */
export const overviewSchema = z.object({
  at: time,
  /** What was given up and neither replayed nor sent again since. */
  dead_letters: z.object({ total: count, events: count, deliveries: count }),
  deliveries: z
    .object({
      pending: z.int(),
      /** In the queue for more than ten minutes. */
      stuck: counted.extend({ hosts: z.array(z.object({ host: z.string(), total: z.int(), since: time })) }),
    })
    .nullable(),
  events: z
    .object({
      /** `since`: when the oldest came. */
      unfinished: counted,
      waiting: z.int(),
      /** Waiting since more than an hour; null where intake does not say. */
      waiting_long: count,
      verifying: z.int(),
      /** By a sender that is paused: `gateway_card`, or `generic/` and the name of a connection. */
      held: z.object({ total: z.int(), senders: z.array(z.object({ sender: z.string(), total: z.int() })) }),
    })
    .nullable(),
  /** The shop that rules change; null while its service does not answer. */
  shop: requests['shop.status.v1'].output.nullable(),
  /** Orders that are not as their money says, the newest five; null while nobody says. `total` counts orders. */
  money: requests['evaluation.money.list.v1'].output.pick({ total: true, findings: true }).nullable(),
  /** Webhooks that were answered `success: false` through no fault of their senders, of the latest 10,000. */
  webhooks_missed: z.int(),
  /** Events that had never arrived and were taken up in the last day, by the gateway that was asked for them. */
  recovered: z.array(recoveredSchema),
  /** Of the log, since `since`. */
  last_hour: z
    .object({
      since: time,
      received: z.int(),
      actions_done: z.int(),
      actions_failed: z.int(),
      given_up: z.int(),
      webhooks_refused: z.int(),
    })
    .nullable(),
  /** What of the log a shop owner looks into, since `since`. */
  last_day: z
    .object({
      since: time,
      late_payments: z.int(),
      /** Payments and refunds that do not fit their order. */
      mismatches: z.int(),
      /** Refused although a valid secret signed them; of the latest 100 refusals. `latest` is the reason of the newest. */
      signed_refused: z.object({ total: z.int(), latest: z.string().nullable() }),
    })
    .nullable(),
  /** Secrets, certificates and a licence that end within 14 days, and settings that do not fit what arrives. */
  warnings: z.array(endWarningSchema),
});
export type Overview = z.output<typeof overviewSchema>;

const hour = 60 * 60_000;
const warnAhead = 14 * 24 * hour;

type Counted = Pick<Edge, 'now' | 'licence' | 'intakeStatus' | 'arrivalWarning'> & {
  readonly missedWebhooks: Pick<Edge['missedWebhooks'], 'count'>;
};

export async function readOverview(ask: SoftAsk, edge: Counted): Promise<Overview> {
  const now = edge.now();
  const minutesAgo = (minutes: number) => isoTime((Math.floor(now / 60_000) - minutes) * 60_000);
  const waitingLong = { filter: { state: 'waiting' as const, to: minutesAgo(60) }, page: 1, per_page: 1 };
  const [{ intake, evaluation }, waiting, shop, money, last_hour, last_day, warnings, webhooks_missed] =
    await Promise.all([
      serviceFigures(ask),
      ask('intake.event.list.v1', waitingLong),
      ask('shop.status.v1', {}),
      ask('evaluation.money.list.v1', {}),
      lastHour(logSince(ask, minutesAgo(60))),
      lastDay(logSince(ask, minutesAgo(24 * 60))),
      warningsOfAll(edge).catch(() => []),
      edge.missedWebhooks.count(),
    ]);
  const [events, deliveries] = [intake?.dead ?? null, evaluation?.failed ?? null];
  const waiting_long = waiting?.pagination.total ?? null;
  return {
    at: isoTime(now),
    dead_letters: { total: events === null || deliveries === null ? null : events + deliveries, events, deliveries },
    deliveries: evaluation && { pending: evaluation.pending, stuck: evaluation.stuck },
    events: intake && { ...eventsOf(intake), waiting_long },
    shop: shop ?? null,
    money: money ? { total: money.total, findings: money.findings.slice(0, 5) } : null,
    webhooks_missed,
    recovered: intake?.recovered ?? [],
    last_hour,
    last_day,
    warnings,
  };
}

function eventsOf({ unfinished, oldest_at: since, waiting, verifying, held }: NonNullable<ServiceFigures['intake']>) {
  const total = held.reduce((sum, sender) => sum + sender.total, 0);
  return { unfinished: { total: unfinished, since }, waiting, verifying, held: { total, senders: held } };
}

/** Those that health has for everybody, after why intake can store nothing. */
async function warningsOfAll(edge: Counted): Promise<Warning[]> {
  const { ready, reason } = await edge.intakeStatus();
  const refusing = { about: 'intake', ends_at: null, text: `Webhooks cannot be stored now: ${reason}` };
  return [...(ready ? [] : [refusing]), ...(await readWarnings(edge))];
}

/** What ends soon, and settings that do not fit what arrives. Rejects where intake does not answer. */
export async function readWarnings(edge: Pick<Counted, 'intakeStatus' | 'arrivalWarning' | 'licence' | 'now'>) {
  const { warnings = [] } = await edge.intakeStatus();
  const arrival = edge.arrivalWarning();
  const settings: Warning[] = arrival === null ? [] : [{ about: 'TRUST_PROXY', ends_at: null, text: arrival }];
  return [...warnings, ...licenceWarning(edge.licence, edge.now()), ...settings];
}

function licenceWarning({ expires_at }: Licence, now: number): Warning[] {
  const left = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) - now;
  if (left > warnAhead) return [];
  const ended = `The licence ended on ${expires_at}. Rules keep running; what belongs to the extended edition can no longer be saved or used.`;
  return [{ about: 'licence', ends_at: expires_at, text: left > 0 ? `The licence ends on ${expires_at}.` : ended }];
}

type Filters = Pick<RequestInput<'audit.entry.list.v1'>['filters'], 'event_type' | 'status'>;

/** Entries of the log from this time on, without tests: how many there are, and the newest. Undefined where the log does not answer. */
const logSince = (ask: SoftAsk, since: string) => {
  const list = (filters: Filters, per_page: number) =>
    ask('audit.entry.list.v1', {
      view: 'flat',
      page: 1,
      per_page,
      filters: { include_debug: false, include_test: false, date_from: since, ...filters },
    });
  return {
    since,
    count: async (filters: Filters) => (await list(filters, 1))?.pagination.total,
    newest: async (filters: Filters) => (await list(filters, 100))?.logs,
  };
};
type LogSince = ReturnType<typeof logSince>;

async function lastHour({ since, count }: LogSince): Promise<Overview['last_hour']> {
  const [received, actions_done, actions_failed, given_up, webhooks_refused] = await Promise.all([
    count({ event_type: ['webhook_received'] }),
    // A call that is only in the queue is an entry too, `pending` until it is delivered.
    count({ event_type: ['action_executed'], status: ['success'] }),
    count({ event_type: ['action_failed'] }),
    count({ event_type: ['dead_lettered'] }),
    count({ event_type: ['webhook_rejected'] }),
  ]);
  const found = { received, actions_done, actions_failed, given_up, webhooks_refused };
  const isComplete = !Object.values(found).includes(undefined);
  return isComplete ? { since, ...(found as Omit<NonNullable<Overview['last_hour']>, 'since'>) } : null;
}

async function lastDay({ since, count, newest }: LogSince): Promise<Overview['last_day']> {
  const [late_payments, mismatches, refusals] = await Promise.all([
    count({ event_type: ['late_payment'], status: ['warning'] }),
    count({
      event_type: ['process_completed', 'order_ambiguous', 'payment_partial', 'refund_failed'],
      status: ['warning'],
    }),
    newest({ event_type: ['webhook_rejected'] }),
  ]);
  if (late_payments === undefined || mismatches === undefined || refusals === undefined) return null;
  const signed = refusals.filter(({ details }) => details.known_sender === true);
  const reason = signed[0]?.details.reason_text;
  const latest = typeof reason === 'string' ? reason : null;
  return { since, late_payments, mismatches, signed_refused: { total: signed.length, latest } };
}
