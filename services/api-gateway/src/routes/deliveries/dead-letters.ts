import {
  type DeliveryRecord,
  deliveryKindSchema,
  intakeEventsRequests,
  invalidParameters,
  paginate,
  type RequestOutput,
  storedEventSchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import type { Ask } from '../../http/call';
import { paging } from '../../http/parameters';
import { route, seconds } from '../../http/route';
import { mergedPage } from './merged-page';

/** Both kinds have these; the rest says what it was. */
const deadEventSchema = storedEventSchema.extend({ kind: z.literal('event') });
const deadDeliverySchema = storedEventSchema
  .pick({
    id: true,
    process_id: true,
    order_id: true,
    received_at: true,
    finished_at: true,
    reason: true,
    attempts: true,
  })
  .extend({ kind: z.literal('delivery'), via: deliveryKindSchema, target: z.string(), rule_id: z.int() });
const deadLetterSchema = z.discriminatedUnion('kind', [deadEventSchema, deadDeliverySchema]);
type DeadLetter = z.infer<typeof deadLetterSchema>;

function deadDelivery(delivery: DeliveryRecord): DeadLetter {
  const { id, kind: via, target, rule_id, order_id, process_id, reason } = delivery;
  const { attempts_made: attempts, created_at: received_at, ended_at: finished_at } = delivery;
  const course = { received_at, finished_at, reason, attempts };
  return { kind: 'delivery', id, process_id, order_id, ...course, via, target, rule_id };
}

type Page = { readonly page: number; readonly per_page: number };
type Found = { readonly rows: DeadLetter[]; readonly total: number; readonly reasons: Reasons };
type Reasons = RequestOutput<'intake.dead-letter.list.v1'>['reasons'];

async function deadEvents(ask: Ask, page: Page): Promise<Found> {
  const { dead_letters, reasons, pagination } = await ask('intake.dead-letter.list.v1', page);
  const rows = dead_letters.map((event): DeadLetter => ({ kind: 'event', ...event }));
  return { rows, total: pagination.total, reasons };
}

async function deadDeliveries(ask: Ask, page: Page): Promise<Found> {
  const input = { filter: { state: 'failed' }, with_reasons: true, ...page } as const;
  const { deliveries, reasons = [], pagination } = await ask('evaluation.delivery.list.v1', input);
  return { rows: deliveries.map(deadDelivery), total: pagination.total, reasons };
}

/** As deep as a page of both kinds may reach: each of them is read from its beginning. */
const deepest = 2_000;

/** What was given up: events that could not be evaluated, calls and e-mails that could not be delivered. */
export const deadLetterRoutes = [
  route('GET /v1/webhooks/dead-letters', 'List what was given up: events and deliveries', {
    tag: 'Webhooks',
    access: { needs: 'manage_shop' },
    query: z.object({ kind: z.enum(['event', 'delivery']).optional(), ...paging }),
    answers: {
      200: intakeEventsRequests['intake.dead-letter.list.v1'].output.extend({
        dead_letters: z.array(deadLetterSchema),
      }),
    },
    timeout: seconds(10),
    handle: async ({ query: { kind, ...at }, ask }) => {
      if (kind !== undefined) {
        const { rows, total, reasons } = await (kind === 'event' ? deadEvents : deadDeliveries)(ask, at);
        return { body: { dead_letters: rows, reasons, pagination: paginate(total, at.page, at.per_page) } };
      }
      if (at.page * at.per_page > deepest)
        throw invalidParameters([{ path: 'page', message: `reaches beyond the ${deepest}th: name a \`kind\`` }]);
      const sources = [(page: Page) => deadEvents(ask, page), (page: Page) => deadDeliveries(ask, page)];
      const { rows, totals, first } = await mergedPage(sources, at, newerFirst);
      const reasons = first.flatMap((one) => one.reasons).sort((a, b) => b.count - a.count);
      const total = totals.reduce((sum, count) => sum + count, 0);
      return { body: { dead_letters: rows, reasons, pagination: paginate(total, at.page, at.per_page) } };
    },
  }),
] as const;

const newerFirst = (a: DeadLetter, b: DeadLetter): number => Date.parse(b.received_at) - Date.parse(a.received_at);
