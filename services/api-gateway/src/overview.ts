import { isoTime, type RequestInput, type RequestOutput, type RequestType } from '@order-automation/contracts';
import { z } from 'zod';
import type { MissedWebhooks } from './collections/missed-webhooks';
import type { AskWithin } from './http/call';

/** What services count of trouble; null where one does not answer. Notifications read the same as `GET /v1/overview`. */
export type ServiceFigures = {
  readonly intake: RequestOutput<'intake.figures.get.v1'> | null;
  readonly evaluation: RequestOutput<'evaluation.figures.get.v1'> | null;
};

/** Asks a service; undefined where it does not answer. */
export type SoftAsk = <T extends RequestType>(type: T, input: RequestInput<T>) => Promise<RequestOutput<T> | undefined>;

export async function serviceFigures(ask: SoftAsk): Promise<ServiceFigures> {
  const [intake, evaluation] = await Promise.all([
    ask('intake.figures.get.v1', {}),
    ask('evaluation.figures.get.v1', {}),
  ]);
  return { intake: intake ?? null, evaluation: evaluation ?? null };
}

const time = z.iso.datetime();
const count = z.int().nullable();
const counted = z.object({ total: z.int(), since: time.nullable() });

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
      verifying: z.int(),
      /** By a sender that is paused: `gateway_card`, or `generic/` and the name of a connection. */
      held: z.object({ total: z.int(), senders: z.array(z.object({ sender: z.string(), total: z.int() })) }),
    })
    .nullable(),
  /** Webhooks that were answered `success: false` through no fault of their senders, of the latest 10,000. */
  webhooks_missed: z.int(),
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
});
export type Overview = z.output<typeof overviewSchema>;

const timeout = 5_000;
const hour = 60 * 60_000;

/** All figures as they are now. */
export async function readOverview(edge: {
  readonly ask: AskWithin;
  now(): number;
  readonly missedWebhooks: Pick<MissedWebhooks, 'count'>;
}): Promise<Overview> {
  const ask: SoftAsk = (type, input) => edge.ask(type, input, timeout).catch(() => undefined);
  const now = edge.now();
  const [{ intake, evaluation }, last_hour, webhooks_missed] = await Promise.all([
    serviceFigures(ask),
    lastHour(ask, isoTime(Math.floor((now - hour) / 60_000) * 60_000)),
    edge.missedWebhooks.count(),
  ]);
  const [events, deliveries] = [intake?.dead ?? null, evaluation?.failed ?? null];
  return {
    at: isoTime(now),
    dead_letters: { total: events === null || deliveries === null ? null : events + deliveries, events, deliveries },
    deliveries: evaluation && { pending: evaluation.pending, stuck: evaluation.stuck },
    events: intake && eventsOf(intake),
    webhooks_missed,
    last_hour,
  };
}

function eventsOf({ unfinished, oldest_at: since, waiting, verifying, held }: NonNullable<ServiceFigures['intake']>) {
  const total = held.reduce((sum, sender) => sum + sender.total, 0);
  return { unfinished: { total: unfinished, since }, waiting, verifying, held: { total, senders: held } };
}

/** Null where the log does not answer. */
async function lastHour(ask: SoftAsk, since: string): Promise<Overview['last_hour']> {
  const entries = async (filters: Pick<Filters, 'event_type' | 'status'>): Promise<number | undefined> => {
    const chosen = { include_debug: false, include_test: false, date_from: since, ...filters };
    const found = await ask('audit.entry.list.v1', { view: 'flat', page: 1, per_page: 1, filters: chosen });
    return found?.pagination.total;
  };
  const [received, actions_done, actions_failed, given_up, webhooks_refused] = await Promise.all([
    entries({ event_type: ['webhook_received'] }),
    // A call that is only in the queue is an entry too, `pending` until it is delivered.
    entries({ event_type: ['action_executed'], status: ['success'] }),
    entries({ event_type: ['action_failed'] }),
    entries({ event_type: ['dead_lettered'] }),
    entries({ event_type: ['webhook_rejected'] }),
  ]);
  const found = { received, actions_done, actions_failed, given_up, webhooks_refused };
  return isComplete(found) ? { since, ...found } : null;
}

type Filters = RequestInput<'audit.entry.list.v1'>['filters'];
type Counts = Omit<NonNullable<Overview['last_hour']>, 'since'>;

const isComplete = (found: { [K in keyof Counts]: number | undefined }): found is Counts =>
  Object.values(found).every((count) => count !== undefined);
