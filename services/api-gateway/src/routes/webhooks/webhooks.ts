import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import { route } from '../../http/route';

/** Names below `/v1/webhooks/` that are no gateways: paths of other routes of the specification. */
export const reservedNames: ReadonlySet<string> = new Set([
  'certificates',
  'connections',
  'dead-letters',
  'events',
  'gateways',
  'health',
  'import',
  'test',
]);

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
  method: 'POST',
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

/** Section 4.3 of the specification. `webhooks/receive.ts` answers these before express sees them. */
export const webhookRoutes = [
  route({
    ...reception,
    path: '/v1/webhooks/{name}',
    except: reservedNames,
    summary: 'Receive a webhook',
    description: `The name is that of a gateway. ${reception.description}`,
    params: z.object({ name }),
    example: { params: { name: 'gateway_card' } },
  }),
  route({
    ...reception,
    path: '/v1/webhooks/generic/{connection}',
    summary: 'Receive a webhook of a named connection',
    params: z.object({ connection: name }),
    example: { params: { connection: 'warehouse' } },
  }),
] as const;
