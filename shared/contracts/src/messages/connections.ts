import { z } from 'zod';
import {
  askedBy,
  countsSchema,
  endWarningSchema,
  lastReferenceSchema,
  lastRefusalSchema,
  overlapHours,
  referenceSettingsSchema,
} from './intake-settings';

const time = z.iso.datetime();

const authMethodSchema = z.enum(['none', 'hmac', 'bearer', 'standard_webhooks']);

const pointer = z
  .string()
  .max(500)
  .regex(/^(\/([^~/]|~[01])*)+$/, 'must be a JSON pointer such as /order/id');

/** JSON pointers to what the generic field names do not find. */
export const fieldPathsSchema = z.object({
  type: pointer.optional(),
  order: pointer.optional(),
  transaction: pointer.optional(),
  amount: pointer.optional(),
  currency: pointer.optional(),
  status: pointer.optional(),
  reason: pointer.optional(),
  time: pointer.optional(),
  event: pointer.optional(),
  /** Where a sender says whether what it names succeeded: `false` is the failure of it. */
  success: pointer.optional(),
});

/** What an administrator says of a connection; what is left out stays as it is, or has the default. */
export const connectionFieldsSchema = z.object({
  enabled: z.boolean().optional(),
  paused: z.boolean().optional(),
  auth_method: authMethodSchema.optional(),
  /** The sender's own secret, or its public key (`whpk_…`); without one we make a secret. */
  secret: z.string().max(1000).optional(),
  /** The public key of a sender that signs with `v1a`. */
  public_key: z.string().max(1000).optional(),
  hmac_header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header')
    .optional(),
  encoding: z.enum(['hex', 'base64']).optional(),
  /** What stands before the digest, for example `sha256=`. */
  prefix: z
    .string()
    .regex(/^[\x21-\x7e]{0,32}$/, 'must have at most 32 characters and no white space')
    .optional(),
  paths: fieldPathsSchema.optional(),
  ...referenceSettingsSchema.shape,
  /** `minor`: its amounts are cents. */
  amount_unit: z.enum(['major', 'minor']).optional(),
});

export const connectionSchema = z.object({
  id: z.string(),
  name: z.string(),
  gateway: z.string(),
  enabled: z.boolean(),
  paused: z.boolean(),
  auth_method: authMethodSchema,
  hmac_header: z.string(),
  encoding: z.enum(['hex', 'base64']),
  prefix: z.string(),
  paths: fieldPathsSchema,
  ...referenceSettingsSchema.shape,
  amount_unit: z.enum(['major', 'minor']).optional(),
  last_reference: lastReferenceSchema.nullable().optional(),
  secret_last4: z.string().nullable(),
  /** Those that still count, newest first. */
  secrets: z.array(
    z.object({
      id: z.string().optional(),
      last4: z.string(),
      created_at: time,
      expires_at: time.nullable(),
      last_used_at: time.nullable().optional(),
    }),
  ),
  created_at: time,
  updated_at: time,
  last_event_at: time.nullable(),
  last_refusal: lastRefusalSchema.nullable(),
  counts: countsSchema,
  /** Secrets of it that end soon. */
  warnings: z.array(endWarningSchema).optional(),
});
export type ConnectionRecord = z.infer<typeof connectionSchema>;

/** What becomes of the held events of a connection that is deleted: they are evaluated, or not. */
export const heldDecisionSchema = z.enum(['release', 'discard']);

export const connectionNameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'must be 1 to 64 lower-case letters, digits, _ and -, and begin with a letter or digit',
  );

/** A connection with its secret, which is shown once: when it was made or replaced. */
const shownOnce = z.object({ connection: connectionSchema, secret: z.string().nullable() });

/** What administrators ask of intake about connections. */
export const connectionRequests = {
  'intake.connection.list.v1': { input: z.object({}), output: z.object({ connections: z.array(connectionSchema) }) },
  /** 400 when the name is taken, or is that of a gateway or a route. */
  'intake.connection.create.v1': {
    input: z.object({ name: connectionNameSchema, fields: connectionFieldsSchema, ...askedBy }),
    output: shownOnce,
  },
  /** 404 `svc_connection_not_found`, as the next ones. */
  'intake.connection.get.v1': {
    input: z.object({ name: z.string() }),
    output: z.object({ connection: connectionSchema }),
  },
  'intake.connection.change.v1': {
    input: z.object({ name: z.string(), fields: connectionFieldsSchema, ...askedBy }),
    output: shownOnce,
  },
  /** 409 `svc_connection_holds_events` when it is paused, events wait, and `held` does not say what becomes of them. */
  'intake.connection.delete.v1': {
    input: z.object({ name: z.string(), held: heldDecisionSchema.optional(), ...askedBy }),
    output: z.object({
      deleted: z.literal(true),
      released: z.int().optional(),
      discarded: z.int().optional(),
      /** Of the last connection: what becomes of webhooks without one. */
      notice: z.string().optional(),
    }),
  },
  /** A new secret; those before it count for `overlap_hours` more. */
  'intake.connection.rotate.v1': {
    input: z.object({
      name: z.string(),
      overlap_hours: overlapHours,
      secret: z.string().optional(),
      ...askedBy,
    }),
    output: shownOnce,
  },
} as const;
