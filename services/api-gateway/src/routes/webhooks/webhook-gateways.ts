import {
  certificateSchema,
  gatewaySchema,
  invalidParameters,
  referenceSettingsSchema,
  ServiceError,
  walletSettingsSchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import { wholeUrl } from '../../http/edge';
import { shortText } from '../../http/parameters';
import { reply, route, seconds } from '../../http/route';
import { testReport, testReportSchema } from './test-report';

const owner = { tag: 'Webhooks', access: { needs: 'manage_shop' } } as const;
const one = {
  ...owner,
  params: z.object({ gateway: z.string().max(100) }),
  errors: ['svc_gateway_not_found'],
  example: { params: { gateway: 'gateway_card' } },
} as const;
const labels = z.record(z.string(), z.string());

const gatewayInfo = gatewaySchema
  .omit({ version: true, paused: true })
  .extend({
    webhook_url: z.string(),
    test_url: z.string(),
    event_types: labels,
    adapter: z.object({ version: z.string(), supported_events: z.array(z.string()) }),
  });

type Gateway = z.output<typeof gatewaySchema>;

const labelsOf = ({ event_types }: Gateway) => Object.fromEntries(event_types.map(({ id, label }) => [id, label]));

function infoOf(gateway: Gateway, urlOf: (path: string) => string): z.output<typeof gatewayInfo> {
  const { version, event_types, paused: _paused, ...shown } = gateway;
  return {
    ...shown,
    webhook_url: urlOf(`/v1/webhooks/${gateway.name}`),
    test_url: urlOf(`/v1/webhooks/test/${gateway.name}`),
    event_types: labelsOf(gateway),
    adapter: { version, supported_events: event_types.map(({ id }) => id) },
  };
}

/** Evaluation has this long to finish a test. */
const testTimeout = seconds(10);

/** Gateways, tests and certificates (section 4.3 of the specification, decisions.md section 6). */
export const webhookGatewayRoutes = [
  route('GET /v1/webhooks/gateways', 'List gateways', {
    ...owner,
    answers: {
      200: z.object({
        gateways: z.record(z.string(), gatewayInfo),
        total_gateways: z.int(),
        active_gateways: z.int(),
        timestamp: z.iso.datetime(),
      }),
    },
    handle: async (call, edge) => {
      const { gateways } = await call.ask('intake.gateway.list.v1', {});
      const urlOf = (path: string) => wholeUrl(call, edge, path);
      return {
        body: {
          gateways: Object.fromEntries(gateways.map((gateway) => [gateway.name, infoOf(gateway, urlOf)])),
          total_gateways: gateways.length,
          active_gateways: gateways.filter(({ status }) => status === 'active').length,
          timestamp: new Date(edge.now()).toISOString(),
        },
      };
    },
  }),
  route('PUT /v1/webhooks/gateways/{gateway}', 'Pause or resume a gateway, or change its settings', {
    ...one,
    // Resuming moves all that was held.
    timeout: seconds(60),
    body: z
      .strictObject({ paused: z.boolean().optional(), ...referenceSettingsSchema.shape, ...walletSettingsSchema.shape })
      .refine((body) => Object.keys(body).length > 0, 'must have paused or a setting'),
    answers: {
      200: z.object({
        gateway: z.string(),
        paused: z.boolean().optional(),
        released: z.int().optional(),
        ...referenceSettingsSchema.shape,
      }),
    },
    errors: [...one.errors, 'svc_set_by_environment'],
    handle: async ({ params, body: { paused, ...reference }, identity, ask }) => {
      const by = identity.name;
      const read =
        Object.keys(reference).length === 0
          ? params
          : await ask('intake.gateway.reference.v1', { ...params, ...reference, by });
      const held = paused === undefined ? {} : await ask('intake.gateway.pause.v1', { ...params, paused, by });
      return { body: { ...read, ...held } };
    },
  }),
  route('GET /v1/webhooks/test/{gateway}/events', 'List the event types that a gateway can be tested with', {
    ...one,
    answers: {
      200: z.object({
        gateway: z.string(),
        event_types: labels,
        default_event_type: z.string().nullable(),
        total_types: z.int(),
      }),
    },
    handle: async ({ params, ask }) => {
      const { gateways } = await ask('intake.gateway.list.v1', {});
      const gateway = gateways.find(({ name }) => name === params.gateway);
      if (!gateway) throw new ServiceError(404, 'svc_gateway_not_found', 'There is no gateway of this name.', params);
      const { event_types } = gateway;
      const completed = event_types.find(({ generic_type }) => generic_type === 'payment_completed') ?? event_types[0];
      return {
        body: {
          gateway: gateway.name,
          event_types: labelsOf(gateway),
          default_event_type: completed?.id ?? null,
          total_types: event_types.length,
        },
      };
    },
  }),
  route('POST /v1/webhooks/test/{gateway}', 'Test a gateway', {
    ...one,
    body: z.strictObject({
      /** As in the address. */
      gateway: shortText.optional(),
      /** Without it, `payment_completed`, or the first type of a gateway that has no payments. */
      event_type: shortText.optional(),
      order_id: z.int().positive().optional(),
      connection: shortText.optional(),
    }),
    timeout: testTimeout + seconds(4),
    answers: { 200: testReportSchema },
    errors: [...one.errors, 'svc_connection_not_found', 'svc_order_not_found', 'svc_test_not_possible'],
    handle: async ({ params: { gateway }, body, identity, ask, elapsed }, { now }) => {
      const { order_id = null, connection = null, gateway: named = gateway, ...chosen } = body;
      if (named !== gateway)
        throw invalidParameters([{ path: 'gateway', message: `must be ${gateway}, as in the address` }]);
      const asked = { gateway, connection, order_id, ...chosen, by: identity.name, patience: testTimeout };
      const test = await ask('intake.test.send.v1', asked);
      return { body: testReport(gateway, test, { total: elapsed(), now: now() }) };
    },
  }),
  route('GET /v1/webhooks/certificates', 'List the wallet’s certificates', {
    ...owner,
    answers: { 200: z.object({ certificates: z.array(certificateSchema) }) },
    handle: ({ answer }) => answer('intake.certificate.list.v1', {}),
  }),
  route('POST /v1/webhooks/certificates', 'Load a certificate of the wallet', {
    ...owner,
    body: z.strictObject({ id: z.string().max(200), pem: z.string().max(100_000) }),
    answers: { 201: certificateSchema },
    handle: async ({ body, identity, ask }) =>
      reply(201, (await ask('intake.certificate.add.v1', { ...body, by: identity.name })).certificate),
  }),
  route('DELETE /v1/webhooks/certificates/{id}', 'Remove a certificate of the wallet', {
    ...owner,
    params: z.object({ id: z.string().max(200) }),
    answers: { 200: z.object({ deleted: z.literal(true) }) },
    errors: ['svc_certificate_not_found'],
    handle: ({ params, identity, answer }) => answer('intake.certificate.delete.v1', { ...params, by: identity.name }),
  }),
] as const;
