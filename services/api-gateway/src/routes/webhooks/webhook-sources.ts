import { eventSourceSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { route, seconds } from '../../http/route';

const one = {
  tag: 'Webhooks',
  access: { needs: 'manage_shop' },
  params: z.object({ gateway: z.string().max(100) }),
  errors: ['svc_gateway_not_found', 'svc_source_not_available'],
  example: { params: { gateway: 'gateway_card' } },
} as const;

export const webhookSourceRoutes = [
  route('GET /v1/webhooks/gateways/{gateway}/source', 'Read what asking a gateway has found', {
    ...one,
    answers: { 200: eventSourceSchema },
    handle: async ({ params, ask }) => ({ body: (await ask('intake.source.get.v1', params)).source }),
  }),
  route('PUT /v1/webhooks/gateways/{gateway}/source', 'Give the key with which a gateway is asked', {
    ...one,
    // The gateway is asked with it first.
    timeout: seconds(45),
    body: z.strictObject({ key: z.string().min(1).max(500) }),
    answers: { 200: eventSourceSchema },
    errors: [...one.errors, 'svc_source_unavailable'],
    handle: async ({ params, body, identity, ask }) => ({
      body: (await ask('intake.source.connect.v1', { ...params, ...body, by: identity.name })).source,
    }),
  }),
  route('DELETE /v1/webhooks/gateways/{gateway}/source', 'Remove the key with which a gateway is asked', {
    ...one,
    answers: { 200: z.object({ deleted: z.literal(true) }) },
    handle: ({ params, identity, answer }) => answer('intake.source.disconnect.v1', { ...params, by: identity.name }),
  }),
  route('POST /v1/webhooks/gateways/{gateway}/source/ask', 'Ask a gateway for what never arrived', {
    ...one,
    body: z.strictObject({ since: z.iso.datetime().nullable().default(null) }),
    answers: { 200: eventSourceSchema },
    handle: async ({ params, body, identity, ask }) => ({
      body: (await ask('intake.source.ask.v1', { ...params, ...body, by: identity.name })).source,
    }),
  }),
] as const;
