import {
  connectionFieldsSchema,
  connectionNameSchema,
  connectionRequests,
  connectionSchema,
  fieldPathsSchema,
  heldDecisionSchema,
  presetSchema,
  type RequestOutput,
  reservedSenders,
  senderSecretSchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import type { Call } from '../../http/call';
import { type Edge, wholeUrl } from '../../http/edge';
import { reply, route, seconds } from '../../http/route';

const secrets = {
  tag: 'Webhooks',
  access: { needs: 'manage_shop' },
  params: z.object({ gateway: z.string().max(100) }),
  errors: ['svc_gateway_not_found', 'svc_licence_required'],
} as const;

/** Connections belong to the extended edition, gateways to both. */
const mayUse = ({ edition }: Edge) => ({ connections: edition === 'extended' });

/** Secrets by which gateways and connections prove their webhooks (decisions.md section 11). They count in every instance at once. */
export const gatewaySecretRoutes = [
  route('GET /v1/webhooks/gateways/{gateway}/secrets', 'List the secrets of a gateway or a connection', {
    ...secrets,
    answers: { 200: z.object({ secrets: z.array(senderSecretSchema) }) },
    handle: ({ params, answer }, edge) => answer('intake.secret.list.v1', { ...params, ...mayUse(edge) }),
  }),
  route('POST /v1/webhooks/gateways/{gateway}/secrets', 'Give a gateway or a connection a new secret', {
    ...secrets,
    // A lost answer loses the secret that it shows.
    timeout: seconds(15),
    body: z.strictObject({
      secret: z.string().max(1000).optional(),
      overlap_hours: z.number().min(0).max(8760).nullable().default(24),
      include_environment: z.boolean().optional(),
    }),
    answers: { 201: senderSecretSchema.extend({ secret: z.string().nullable(), older: z.array(senderSecretSchema) }) },
    handle: async ({ params, body, identity, ask }, edge) =>
      reply(201, await ask('intake.secret.add.v1', { ...params, ...body, ...mayUse(edge), by: identity.name })),
  }),
  route('DELETE /v1/webhooks/gateways/{gateway}/secrets/{id}', 'Remove a secret of a gateway or a connection', {
    ...secrets,
    params: secrets.params.extend({ id: z.string().max(100) }),
    answers: { 200: z.object({ deleted: z.literal(true) }) },
    errors: [...secrets.errors, 'svc_secret_not_found', 'svc_secret_of_environment'],
    handle: ({ params, identity, answer }, edge) =>
      answer('intake.secret.remove.v1', { ...params, ...mayUse(edge), by: identity.name }),
  }),
] as const;

const owner = {
  tag: 'Webhooks',
  access: { needs: 'manage_shop', extended: 'Connections need the extended edition.' },
} as const;
const one = {
  ...owner,
  except: reservedSenders,
  params: z.object({ name: z.string().max(100) }),
  errors: ['svc_connection_not_found'],
  example: { params: { name: 'warehouse' } },
} as const;

const connection = connectionSchema.extend({ url: z.string() });
/** The secret is shown in this answer and never again; null when the sender's own was taken, or there is none. */
const shownOnce = z.object({ connection, secret: z.string().nullable() });
/** A misspelt name in `paths` would otherwise find nothing, and nobody would know. */
const strictPaths = { paths: z.strictObject(fieldPathsSchema.shape).optional() };
const fields = z.strictObject({ ...connectionFieldsSchema.omit({ preset: true }).shape, ...strictPaths });

type Connection = z.output<typeof connectionSchema>;
const withUrl = (record: Connection, call: Pick<Call, 'client' | 'header'>, edge: Edge) => ({
  ...record,
  url: wholeUrl(call, edge, `/v1/webhooks/generic/${record.name}`),
});

type Shown = RequestOutput<'intake.connection.change.v1'>;
const shown = (made: Shown, call: Pick<Call, 'client' | 'header'>, edge: Edge) => ({
  ...made,
  connection: withUrl(made.connection, call, edge),
});

/** Connections of the generic gateway (decisions.md section 6): a sender each, with an address and a secret of its own. */
export const webhookConnectionRoutes = [
  route('GET /v1/webhooks', 'List connections', {
    ...owner,
    answers: { 200: z.object({ connections: z.array(connection), total: z.int() }) },
    handle: async (call, edge) => {
      const { connections } = await call.ask('intake.connection.list.v1', {});
      return { body: { connections: connections.map((each) => withUrl(each, call, edge)), total: connections.length } };
    },
  }),
  route('POST /v1/webhooks', 'Make a connection', {
    ...owner,
    body: z.strictObject({ name: connectionNameSchema, ...connectionFieldsSchema.shape, ...strictPaths }),
    answers: { 201: shownOnce },
    handle: async (call, edge) => {
      const { name, ...fields } = call.body;
      const url = wholeUrl(call, edge, `/v1/webhooks/generic/${name}`);
      const input = { name, fields, url, by: call.identity.name };
      return reply(201, shown(await call.ask('intake.connection.create.v1', input), call, edge));
    },
  }),
  route('GET /v1/webhooks/presets', 'List the senders that are known', {
    ...owner,
    // The gateways that are built in belong to both editions.
    access: { needs: 'manage_shop' },
    answers: { 200: z.object({ presets: z.array(presetSchema), total: z.int() }) },
    handle: async ({ ask }, edge) => {
      const { presets: known } = await ask('intake.preset.list.v1', {});
      const { connections } = mayUse(edge);
      const presets = known.filter(({ gateway }) => connections || gateway !== undefined);
      return { body: { presets, total: presets.length } };
    },
  }),
  route('GET /v1/webhooks/{name}', 'Read a connection', {
    ...one,
    answers: { 200: connection },
    handle: async (call, edge) => {
      const { connection: found } = await call.ask('intake.connection.get.v1', call.params);
      return { body: withUrl(found, call, edge) };
    },
  }),
  route('PUT /v1/webhooks/{name}', 'Change a connection', {
    ...one,
    body: fields,
    answers: { 200: shownOnce.extend({ released: z.int().optional() }) },
    handle: async (call, edge) => {
      const input = { ...call.params, fields: call.body, by: call.identity.name };
      return { body: shown(await call.ask('intake.connection.change.v1', input), call, edge) };
    },
  }),
  route('DELETE /v1/webhooks/{name}', 'Delete a connection', {
    ...one,
    query: z.object({ held: heldDecisionSchema.optional() }),
    // Every held event is moved.
    timeout: seconds(60),
    answers: { 200: connectionRequests['intake.connection.delete.v1'].output },
    errors: [...one.errors, 'svc_connection_holds_events'],
    handle: ({ params, query, identity, answer }) =>
      answer('intake.connection.delete.v1', { ...params, ...query, by: identity.name }),
  }),
  route('POST /v1/webhooks/{name}/rotate-secret', 'Give a connection a new secret', {
    ...owner,
    params: one.params,
    errors: one.errors,
    body: z.strictObject({
      overlap_hours: z.number().min(0).max(8760).default(24),
      secret: z.string().max(1000).optional(),
    }),
    answers: { 200: shownOnce },
    handle: async (call, edge) => {
      const input = { ...call.params, ...call.body, by: call.identity.name };
      return { body: shown(await call.ask('intake.connection.rotate.v1', input), call, edge) };
    },
  }),
] as const;
