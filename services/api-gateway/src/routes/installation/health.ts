import { adapterStatusSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { reply, route } from '../../http/route';

const health = z.object({
  status: z.enum(['healthy', 'unhealthy']),
  timestamp: z.iso.datetime(),
  version: z.string(),
  endpoints: z.object({ wallet: z.string(), card: z.string(), generic: z.string() }),
  adapters: z.array(adapterStatusSchema),
});

/** Section 4.3 of the specification, `GET /webhooks/health`: open to all, so it says no more than senders need to know. */
export const healthRoutes = [
  route({
    method: 'GET',
    path: '/v1/webhooks/health',
    summary: 'Say whether webhooks can be taken',
    tag: 'Webhooks',
    access: 'open',
    answers: { 200: health, 503: health },
    handle: async ({ ask }, { basePath, now, version }) => {
      const address = (gateway: string) => `${basePath}/v1/webhooks/${gateway}`;
      const { ready, adapters } = await ask('intake.status.v1', {});
      const body = {
        timestamp: new Date(now()).toISOString(),
        version,
        endpoints: { wallet: address('gateway_wallet'), card: address('gateway_card'), generic: address('generic') },
        adapters,
      };
      if (ready) return { body: { status: 'healthy' as const, ...body } };
      return reply(503, { status: 'unhealthy' as const, ...body });
    },
  }),
] as const;
