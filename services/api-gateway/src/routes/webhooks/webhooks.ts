import { paginate, paginationSchema, reservedSenders, ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import { paging } from '../../http/parameters';
import { route } from '../../http/route';

const name = z.string().max(100);
const result = z.union([
  z.object({
    success: z.literal(true),
    message: z.string(),
    events_processed: z.int(),
    process_id: z.string(),
    execution_time: z.string(),
    duplicate: z.boolean().optional(),
  }),
  z.object({ success: z.literal(false), message: z.string(), process_id: z.string() }),
]);

const reception = {
  tag: 'Webhooks',
  access: 'open',
  description:
    'Proved by signature or shared secret, not by a login. Always answers 200, also when the webhook is refused: read `success`. Webhooks that prove nothing are limited by address; `RateLimit` says what is left.',
  rawBody: { types: ['application/json', 'application/x-www-form-urlencoded'], maxBytes: 1024 * 1024 },
  answers: { 200: result },
  handle: async () => {
    throw new ServiceError(404, 'rest_no_route', 'There is no gateway of this name.');
  },
} as const;

const missedWebhook = z.object({
  process_id: z.string(),
  received_at: z.iso.datetime(),
  gateway: z.string(),
  connection: z.string().nullable(),
  address: z.string(),
  reason: z.enum(['unavailable', 'overloaded']),
});

/** Section 4.3 of the specification. `webhooks/receive.ts` answers these before express sees them. */
export const webhookRoutes = [
  route('GET /v1/webhooks/missed', 'List webhooks that were not stored', {
    tag: 'Webhooks',
    access: { needs: 'manage_shop' },
    query: z.object(paging),
    answers: { 200: z.object({ missed: z.array(missedWebhook), pagination: paginationSchema }) },
    handle: async ({ query: { page, per_page } }, { missedWebhooks }) => {
      const [found, total] = await Promise.all([
        missedWebhooks.page((page - 1) * per_page, per_page),
        missedWebhooks.count(),
      ]);
      const missed = found.map(({ _id, at, ...rest }) => ({ process_id: _id, received_at: at, ...rest }));
      return { body: { missed, pagination: paginate(total, page, per_page) } };
    },
  }),
  route('POST /v1/webhooks/{name}', 'Receive a webhook', {
    ...reception,
    except: reservedSenders,
    description: `The name is that of a gateway. ${reception.description}`,
    params: z.object({ name }),
  }),
  route('POST /v1/webhooks/generic/{connection}', 'Receive a webhook of a named connection', {
    ...reception,
    params: z.object({ connection: name }),
  }),
] as const;
