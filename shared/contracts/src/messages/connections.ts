import { z } from 'zod';
import { askedBy, exchange, time, withoutInput } from '../exchange';
import { genericTypeSchema } from '../vocabulary';
import {
  countsSchema,
  endWarningSchema,
  lastReferenceSchema,
  lastRefusalSchema,
  overlapHours,
  referenceSettingsSchema,
} from './intake-settings';

const authMethodSchema = z.enum(['none', 'hmac', 'bearer', 'standard_webhooks', 'token', 'basic']);
const encodingSchema = z.enum(['hex', 'hex_upper', 'base64']);
const headerName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header');

const pointer = z
  .string()
  .max(500)
  .regex(/^(\/([^~/]|~[01])*)+$/, 'must be a path such as /order/id (a JSON pointer)');
const typeForms = 'must be a JSON pointer such as /event/type, or a header such as header:x-topic';

/** What a sender signs; `{/a/b}` is the text at a JSON pointer, `{url}` the address that the sender was given, `{form}` the fields of a form by name, each name before its value. */
const signedTemplate = z
  .string()
  .max(1000)
  .regex(
    /^(?:[^{}]|\{(?:body|form|timestamp|id|url|\/[^{}]+)\})+$/,
    'must be text with {body}, {form}, {timestamp}, {id}, {url} or JSON pointers in braces',
  );
/** The name of a part in a header such as `t=1700000000,v1=…`. */
const partName = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, 'must be the name of a part of the header');

/** How the digest of the method `hmac` is made, and where its parts are. All have defaults: HMAC-SHA256 of the body. */
const signingSchema = z.object({
  algorithm: z.enum(['sha1', 'sha256', 'sha512']).optional(),
  signed: signedTemplate.optional(),
  /** How the secret's text becomes the key. */
  secret_encoding: z.enum(['text', 'hex', 'base64']).optional(),
  timestamp_header: headerName.optional(),
  timestamp_unit: z.enum(['seconds', 'milliseconds']).optional(),
  id_header: headerName.optional(),
  /** Parts of the signature's own header that hold the digest and the time. */
  signature_part: partName.optional(),
  timestamp_part: partName.optional(),
  /** Where the body holds the signature, for a sender without a header of it. */
  signature_path: pointer.optional(),
  /** The address that the sender signs with the body. */
  signed_url: z.url().max(1000).optional(),
  /** Seconds that a signed time may be old or early; 300 without it. */
  tolerance: z.int().min(10).max(86_400).optional(),
});
export type SigningSettings = z.infer<typeof signingSchema>;

/** The sender's own event types, and what each means; `no_order`: it is about none, whatever ids it has. */
const typeTableSchema = z
  .record(z.string().min(1).max(200), z.enum([...genericTypeSchema.options, 'no_order']))
  .refine((types) => Object.keys(types).length <= 200, 'must have at most 200 types');

/** Settings that the connection has only where somebody, or a preset, gave them. */
const furtherSettings = {
  ...signingSchema.shape,
  types: typeTableSchema.optional(),
  /** How many decimals its minor units stand for, by currency, where they are not those of ISO 4217: `{"CLP": 2}`. */
  decimals: z.record(z.string().regex(/^(?:[A-Z][A-Z0-9]{2,9}|\*)$/), z.int().min(0).max(8)).optional(),
  /** Of a sender that never says in which currency its amounts are; empty: it does. */
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^(?:[A-Z]{3})?$/, 'must be the three letters of a currency, such as MYR')
    .optional(),
  /** The preset that its settings came from. */
  preset: z.string().max(64).optional(),
};

/** JSON pointers to what the generic field names do not find; several with ` | ` between them: the first that finds something counts. */
export const fieldPathsSchema = z.object({
  /** The event type may also stand in a header: `header:x-topic`. */
  type: z.union([pointer, z.string().regex(/^header:[a-z0-9-]{1,64}$/)], typeForms).optional(),
  /** What follows the type after a full stop, where a sender says it in several fields: each that is there. */
  subtype: pointer.optional(),
  order: pointer.optional(),
  transaction: pointer.optional(),
  /** The payment that is refunded, cancelled or disputed, where `transaction` is the id of the refund itself. */
  parent: pointer.optional(),
  /** The ids of the refund and of the dispute that it is about, and of the subscription that it belongs to. */
  refund: pointer.optional(),
  dispute: pointer.optional(),
  subscription: pointer.optional(),
  /** Of several amounts the first that is not zero. */
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
  hmac_header: headerName.optional(),
  encoding: encodingSchema.optional(),
  /** What stands before the digest, for example `sha256=`. */
  prefix: z
    .string()
    .regex(/^[\x21-\x7e]{0,32}$/, 'must have at most 32 characters and no white space')
    .optional(),
  paths: fieldPathsSchema.optional(),
  ...referenceSettingsSchema.shape,
  /** `minor`: its amounts are cents. */
  amount_unit: z.enum(['major', 'minor']).optional(),
  ...furtherSettings,
});

const httpsPage = z.url({ protocol: /^https$/ });

/** A sender that is known: what it signs, how its events are read, and what to click at its side. One file each in `assets/presets` of intake. */
export const presetSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{2,40}$/),
  name: z.string().min(2).max(60),
  /** Further words to find it by. */
  search: z.array(z.string()).default([]),
  /** What to do at the sender's side, in order. */
  steps: z.array(z.string().min(1).max(300)).min(1),
  /** Who makes the secret: we (copied to the sender), the sender (pasted here), or nobody. */
  secret_from: z.enum(['us', 'sender', 'nobody']),
  /** The page of the sender's documentation that says how it signs. */
  documentation: httpsPage,
  /** A gateway that is built in: set up there. */
  gateway: z.string().optional(),
  /** The connection that it makes; absent for a gateway that is built in. */
  settings: connectionFieldsSchema
    .omit({ enabled: true, paused: true, secret: true, public_key: true, preset: true, signed_url: true })
    .optional(),
});
export type Preset = z.infer<typeof presetSchema>;

export const connectionSchema = z.object({
  id: z.string(),
  name: z.string(),
  gateway: z.string(),
  enabled: z.boolean(),
  paused: z.boolean(),
  auth_method: authMethodSchema,
  hmac_header: z.string(),
  encoding: encodingSchema,
  prefix: z.string(),
  paths: fieldPathsSchema,
  ...referenceSettingsSchema.shape,
  amount_unit: z.enum(['major', 'minor']).optional(),
  ...furtherSettings,
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

/** Names below `/v1/webhooks/` that no gateway and no connection may have: paths of other routes. */
export const reservedSenders: ReadonlySet<string> = new Set(
  'certificates connections dead-letters events gateways health import missed presets test'.split(' '),
);

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
  'intake.connection.list.v1': withoutInput({ connections: z.array(connectionSchema) }),
  /** 400 when the name is taken, or is that of a gateway or a route. */
  'intake.connection.create.v1': exchange(
    {
      name: connectionNameSchema,
      fields: connectionFieldsSchema,
      /** Its whole address, for a preset whose sender signs it. */
      url: z.string().max(1000).optional(),
      ...askedBy,
    },
    shownOnce,
  ),
  'intake.preset.list.v1': withoutInput({ presets: z.array(presetSchema) }),
  /** 404 `svc_connection_not_found`, as the next ones. */
  'intake.connection.get.v1': exchange({ name: z.string() }, { connection: connectionSchema }),
  /** `released`: how many held events go on, where it was resumed. */
  'intake.connection.change.v1': exchange(
    { name: z.string(), fields: connectionFieldsSchema, ...askedBy },
    shownOnce.extend({ released: z.int().optional() }),
  ),
  /** 409 `svc_connection_holds_events` when it is paused, events wait, and `held` does not say what becomes of them. */
  'intake.connection.delete.v1': exchange(
    { name: z.string(), held: heldDecisionSchema.optional(), ...askedBy },
    {
      deleted: z.literal(true),
      released: z.int().optional(),
      discarded: z.int().optional(),
      /** Of the last connection: what becomes of webhooks without one. */
      notice: z.string().optional(),
    },
  ),
  /** A new secret; those before it count for `overlap_hours` more. */
  'intake.connection.rotate.v1': exchange(
    { name: z.string(), overlap_hours: overlapHours, secret: z.string().optional(), ...askedBy },
    shownOnce,
  ),
} as const;
