import { z } from 'zod';
import { askedBy, exchange, time, withoutInput } from '../exchange';
import { orderReferenceKindSchema } from '../universal-event';
import { genericTypeSchema } from '../vocabulary';
import { eventSourceSchema } from './event-source';

/** Hours for which older secrets count beside a new one: up to a year. */
export const overlapHours = z.number().min(0).max(8760);

/** Why a webhook was refused last, and when. For administrators alone: senders never learn it. */
export const lastRefusalSchema = z.object({ at: time, code: z.string(), text: z.string() });

export const countsSchema = z.object({ accepted: z.int(), duplicates: z.int(), refused: z.int() });

/** What stands before an order's number in the sender's references, for example `WC-`; empty: nothing of its own. */
const orderPrefixSchema = z.string().regex(/^[\x21-\x7e]{0,32}$/, 'must have at most 32 characters and no white space');

/** How a sender's references to orders are read (decisions.md section 12, "Which order an event names"). */
export const referenceSettingsSchema = z.object({
  order_reference: orderReferenceKindSchema.optional(),
  order_prefix: orderPrefixSchema.optional(),
});

/** What proves webhooks of the wallet, field by field; empty: not set. */
export const walletSettingsSchema = z.object({
  webhook_id: z
    .string()
    .regex(/^[\x21-\x7b\x7d\x7e]{0,100}$/)
    .optional(),
  /** Our e-mail addresses and account ids at the wallet, separated by white space. */
  receiver: z.string().max(1000).optional(),
  /** Where notifications (IPN) are posted back to: the wallet, or its sandbox. */
  verify_url: z
    .string()
    .regex(/^(https:\/\/ipnpb\.(sandbox\.)?paypal\.com\/cgi-bin\/webscr)?$/)
    .optional(),
});
const gatewaySettingsSchema = referenceSettingsSchema.extend(walletSettingsSchema.shape);

/** The reference of the last event that had one, and the orders that it is read as. */
export const lastReferenceSchema = z.object({ value: z.string(), from: z.string(), read_as: z.array(z.string()) });

/** What ends within 14 days, or has ended: `about` is a gateway, a connection or the licence. Without an end: something else that needs a person. */
export const endWarningSchema = z.object({ about: z.string(), ends_at: time.nullable(), text: z.string() });

/** A secret by which senders prove themselves. `since`: null where unknown, as of the environment. `until` null: no end. `last_used_at` to the minute. */
export const senderSecretSchema = z.object({
  id: z.string(),
  last4: z.string(),
  /** `environment`: from GATEWAY_CARD_SECRETS or GATEWAY_SHOP_SECRETS, and only removed there. */
  source: z.enum(['environment', 'api']),
  since: time.nullable(),
  until: time.nullable(),
  last_used_at: time.nullable(),
});
export type SenderSecret = z.infer<typeof senderSecretSchema>;

export const gatewaySchema = z.object({
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  status: z.enum(['active', 'inactive', 'paused']),
  /** Why it is inactive, or what needs attention. */
  status_reason: z.string().nullable(),
  event_types: z.array(z.object({ id: z.string(), label: z.string(), generic_type: genericTypeSchema.nullable() })),
  supports_testing: z.boolean(),
  capabilities: z.array(z.string()),
  version: z.string(),
  paused: z.boolean(),
  permissive: z.boolean(),
  last_event_at: time.nullable(),
  last_refusal: lastRefusalSchema.nullable(),
  counts: countsSchema,
  ...referenceSettingsSchema.shape,
  /** Of the wallet alone; the environment may name another address to post back to. */
  ...walletSettingsSchema.extend({ verify_url: z.string().optional() }).shape,
  /** Which settings the environment sets. */
  set_by_environment: z.array(gatewaySettingsSchema.keyof()).optional(),
  last_reference: lastReferenceSchema.nullable().optional(),
  /** Newest first; absent for a gateway that proves webhooks by other means. */
  secrets: z.array(senderSecretSchema).optional(),
  /** Secrets of it that end soon. */
  warnings: z.array(endWarningSchema).optional(),
  /** Absent where the gateway lists no events that it could be asked for. */
  source: eventSourceSchema.optional(),
});

export const certificateSchema = z.object({
  id: z.string(),
  subject: z.string(),
  issuer: z.string(),
  valid_from: time,
  valid_to: time,
  /** `directory`: from GATEWAY_WALLET_CERTIFICATES, and only removed there. */
  source: z.enum(['loaded', 'directory']),
  /** Why it proves nothing now; null when it is good. */
  problem: z.string().nullable(),
});

/** What administrators ask of intake about gateways, their secrets and certificates. */
export const intakeSettingsRequests = {
  'intake.gateway.list.v1': withoutInput({ gateways: z.array(gatewaySchema) }),
  /** Paused: received and stored, not evaluated until it is resumed. 404 `svc_gateway_not_found`. */
  'intake.gateway.pause.v1': exchange(
    { gateway: z.string(), paused: z.boolean(), ...askedBy },
    { gateway: z.string(), paused: z.boolean(), released: z.int() },
  ),
  /** How references to orders are read, and how the wallet proves its webhooks. 404 `svc_gateway_not_found`; 409 `svc_set_by_environment` for what the environment sets. */
  'intake.gateway.reference.v1': exchange(gatewaySettingsSchema.extend({ gateway: z.string(), ...askedBy }), {
    gateway: z.string(),
    order_reference: orderReferenceKindSchema,
    order_prefix: z.string(),
  }),
  /**
   * The secrets of a gateway or a connection, newest first. `connections`: whether those of connections may be asked for. 404 `svc_gateway_not_found`
   * when there is neither of this name, as the next ones.
   */
  'intake.secret.list.v1': exchange(
    { gateway: z.string(), connections: z.boolean() },
    { secrets: z.array(senderSecretSchema) },
  ),
  /**
   * A secret beside the others; without `secret` we make one, which is shown in this answer alone. Older ones count for `overlap_hours` more, with null as
   * long as they did; those of the environment are left alone without `include_environment`.
   */
  'intake.secret.add.v1': exchange(
    {
      gateway: z.string(),
      connections: z.boolean(),
      secret: z.string().optional(),
      overlap_hours: overlapHours.nullable(),
      include_environment: z.boolean().optional(),
      ...askedBy,
    },
    senderSecretSchema.extend({ secret: z.string().nullable(), older: z.array(senderSecretSchema) }),
  ),
  /** Ends it at once. 404 `svc_secret_not_found`; 409 `svc_secret_of_environment` for one of the environment. */
  'intake.secret.remove.v1': exchange(
    { gateway: z.string(), connections: z.boolean(), id: z.string(), ...askedBy },
    { deleted: z.literal(true) },
  ),
  'intake.certificate.list.v1': withoutInput({ certificates: z.array(certificateSchema) }),
  'intake.certificate.add.v1': exchange(
    { id: z.string(), pem: z.string(), ...askedBy },
    { certificate: certificateSchema },
  ),
  /** 404 `svc_certificate_not_found`. */
  'intake.certificate.delete.v1': exchange({ id: z.string(), ...askedBy }, { deleted: z.literal(true) }),
} as const;
