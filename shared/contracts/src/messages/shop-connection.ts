import { z } from 'zod';
import { askedBy, exchange, time } from '../exchange';

/** A key or a secret of WooCommerce's REST API. */
const credential = z
  .string()
  .regex(/^[\x21-\x7e]{8,200}$/, 'must be as WooCommerce showed it when it made the key, such as ck_… or cs_…');
export const shopKeysSchema = z.object({ consumer_key: credential, consumer_secret: credential });

const address = z.string().trim().min(1).max(500);

const checkLineSchema = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warning', 'failed']),
  text: z.string(),
  cure: z.string().nullable(),
});
/** One thing that was tried in the shop: what came of it, in words, and what to do about it. */
export type ShopCheckLine = z.infer<typeof checkLineSchema>;

export const shopConnectionSchema = z.object({
  /** `builtin`: orders are kept here. */
  connector: z.enum(['builtin', 'woocommerce']),
  /** Who decides that: `environment` is SHOP_CONNECTOR and its like, `settings` an administrator, `default` neither. */
  source: z.enum(['default', 'environment', 'settings']),
  /** Its orders came with the installation. */
  demonstration: z.boolean(),
  /** Whether WooCommerce can be asked to make the keys and send them: it does to https addresses alone. */
  can_authorize: z.boolean(),
  /** Of the WooCommerce shop, without a slash at its end. */
  address: z.string().nullable(),
  key_last4: z.string().nullable(),
  connected_at: time.nullable(),
  connected_by: z.string().nullable(),
  /** What the shop cannot do now, in sentences. */
  problems: z.array(z.string()),
  /** The last one of this connection. */
  check: z.object({ at: time, lines: z.array(checkLineSchema) }).nullable(),
});
export type ShopConnection = z.infer<typeof shopConnectionSchema>;

/** `public_url`: the address of this service as the shop knows it; null where nobody knows it. */
const asked = { public_url: z.url().nullable(), ...askedBy };

/** What administrators ask about the shop itself. What changes it: 409 `svc_set_by_environment` where SHOP_CONNECTOR is set. */
export const shopConnectionRequests = {
  'shop.connection.get.v1': exchange(asked, shopConnectionSchema),
  /** Tries the keys first: 400 with a violation of `address` or `consumer_key` when the shop cannot be used with them. */
  'shop.connection.connect.v1': exchange({ address, ...shopKeysSchema.shape, ...asked }, shopConnectionSchema),
  /** Where a person lets WooCommerce make the keys and send them here, before `expires_at`. 409 `svc_public_url_not_https`. */
  'shop.connection.authorize.v1': exchange({ address, ...asked }, { authorize_url: z.url(), expires_at: time }),
  /** The keys that WooCommerce made. `nonce` counts once; 404 `svc_authorization_not_found` for another. */
  'shop.connection.receive-keys.v1': exchange(
    { nonce: z.string(), permissions: z.string(), ...shopKeysSchema.shape },
    { connected: z.literal(true) },
  ),
  /** Tries everything, and makes the webhooks that are missing. 409 `svc_shop_not_connected` without a WooCommerce shop, as the next one. */
  'shop.connection.check.v1': exchange(asked, shopConnectionSchema),
  /** `notice`: what is left in the shop for a person to remove. */
  'shop.connection.disconnect.v1': exchange(asked, shopConnectionSchema.extend({ notice: z.string() })),
} as const;
