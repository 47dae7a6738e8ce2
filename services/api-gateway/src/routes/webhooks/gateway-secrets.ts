import { senderSecretSchema } from '@order-automation/contracts';
import { z } from 'zod';
import type { Edge } from '../../http/edge';
import { present } from '../../http/parameters';
import { reply, route, seconds } from '../../http/route';

const all = {
  tag: 'Webhooks',
  access: { needs: 'manage_shop' },
  params: z.object({ gateway: z.string().max(100) }),
  errors: ['svc_gateway_not_found', 'svc_licence_required'],
} as const;

/** Connections belong to the extended edition, gateways to both. */
const mayUseConnections = ({ edition }: Pick<Edge, 'edition'>): boolean => edition === 'extended';

/** Secrets by which gateways and connections prove their webhooks (decisions.md section 11). They count in every instance at once. */
export const gatewaySecretRoutes = [
  route('GET /v1/webhooks/gateways/{gateway}/secrets', 'List the secrets of a gateway or a connection', {
    ...all,
    description:
      'Valid secrets, newest first. Those with `source: environment` are set in `GATEWAY_CARD_SECRETS` or `GATEWAY_SHOP_SECRETS`; `last_used_at` is exact to the minute.',
    answers: { 200: z.object({ secrets: z.array(senderSecretSchema) }) },
    example: { params: { gateway: 'gateway_card' } },
    handle: async ({ params, ask }, edge) => ({
      body: await ask('intake.secret.list.v1', { ...params, connections: mayUseConnections(edge) }),
    }),
  }),
  route('POST /v1/webhooks/gateways/{gateway}/secrets', 'Give a gateway or a connection a new secret', {
    ...all,
    description:
      'Give the sender’s own secret, or let us make one: it is shown in this answer and never again. Older ones stay valid for `overlap_hours` more; null leaves them as they are, for a sender with several addresses. Those of the environment are left alone unless `include_environment` gives them the same end.',
    // A lost answer loses the secret that it shows.
    timeout: seconds(15),
    body: z.strictObject({
      secret: z.string().max(1000).optional(),
      overlap_hours: z.number().min(0).max(8760).nullable().default(24),
      include_environment: z.boolean().optional(),
    }),
    answers: {
      201: senderSecretSchema.extend({ secret: z.string().nullable(), older: z.array(senderSecretSchema) }),
    },
    example: { params: { gateway: 'gateway_card' }, body: { overlap_hours: 24 } },
    handle: async ({ params, body: { overlap_hours, ...chosen }, identity, ask }, edge) => {
      const said = { ...params, ...present(chosen), overlap_hours, by: identity.name };
      return reply(201, await ask('intake.secret.add.v1', { ...said, connections: mayUseConnections(edge) }));
    },
  }),
  route('DELETE /v1/webhooks/gateways/{gateway}/secrets/{id}', 'Remove a secret of a gateway or a connection', {
    ...all,
    params: all.params.extend({ id: z.string().max(100) }),
    description: 'It is invalid at once. Remove one of the environment there.',
    answers: { 200: z.object({ deleted: z.literal(true) }) },
    errors: [...all.errors, 'svc_secret_not_found', 'svc_secret_of_environment'],
    example: { params: { gateway: 'gateway_card', id: 'sec_0f3a9b2c5d7e1f40' } },
    handle: async ({ params, identity, ask }, edge) => ({
      body: await ask('intake.secret.remove.v1', {
        ...params,
        connections: mayUseConnections(edge),
        by: identity.name,
      }),
    }),
  }),
] as const;
