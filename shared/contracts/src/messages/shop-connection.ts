import { z } from 'zod';
import { askedBy } from './intake-settings';

const time = z.iso.datetime();

/** A key or a secret of WooCommerce's REST API. */
const credential = z
  .string()
  .regex(/^[\x21-\x7e]{8,200}$/, 'must be as WooCommerce showed it when it made the key, such as ck_… or cs_…');
export const shopKeysSchema = z.object({ consumer_key: credential, consumer_secret: credential });
const shopAddress = z.string().min(1).max(500);

/** One thing that was tried in the shop: what came of it, in words, and what to do about it. */
export const shopCheckLineSchema = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warning', 'failed']),
  text: z.string(),
  cure: z.string().nullable(),
});
export type ShopCheckLine = z.infer<typeof shopCheckLineSchema>;

export const shopConnectionSchema = z.object({
  /** `builtin`: orders are kept here. */
  connector: z.enum(['builtin', 'woocommerce']),
  /** Who decides that: `environment` is SHOP_CONNECTOR and its like, `settings` an administrator, `default` neither. */
  source: z.enum(['default', 'environment', 'settings']),
  /** Its orders came with the installation. */
  demonstration: z.boolean(),
  /** Of the WooCommerce shop, without a slash at its end. */
  address: z.string().nullable(),
  key_last4: z.string().nullable(),
  connected_at: time.nullable(),
  connected_by: z.string().nullable(),
  /** What the shop cannot do now, in sentences. */
  problems: z.array(z.string()),
  /** The last one of this connection. */
  check: z.object({ at: time, lines: z.array(shopCheckLineSchema) }).nullable(),
});
export type ShopConnection = z.infer<typeof shopConnectionSchema>;

const shown = z.object({ shop: shopConnectionSchema });
/** Where WooCommerce delivers its webhooks to us; null where nobody knows our public address. */
const deliverTo = { deliver_to: z.url().nullable() };

export const shopConnectionEvents = {
  /** Instances of the shop service read again which shop they work on. */
  'shop.connection-changed.v1': z.object({}),
} as const;

/** What administrators ask about the shop itself. What changes it: 409 `svc_set_by_environment` where SHOP_CONNECTOR is set. */
export const shopConnectionRequests = {
  'shop.connection.get.v1': { input: z.object({}), output: shown },
  /** Tries the keys first: 400 with a violation of `address` or `consumer_key` when the shop cannot be used with them. */
  'shop.connection.connect.v1': {
    input: z.object({ address: shopAddress, ...shopKeysSchema.shape, ...deliverTo, ...askedBy }),
    output: shown,
  },
  /** Where a person lets WooCommerce make the keys and send them to `callback`, before `expires_at`. */
  'shop.connection.authorize.v1': {
    input: z.object({ address: shopAddress, callback: z.url(), return_to: z.url(), ...askedBy }),
    output: z.object({ authorize_url: z.url(), expires_at: time }),
  },
  /** The keys that WooCommerce made. `nonce` counts once; 404 `svc_authorization_not_found` for another. */
  'shop.connection.receive-keys.v1': {
    input: z.object({ nonce: z.string(), permissions: z.string(), ...shopKeysSchema.shape }),
    output: z.object({ connected: z.literal(true) }),
  },
  /** Tries everything, and makes the webhooks that are missing. 409 `svc_shop_not_connected` without a WooCommerce shop, as the next one. */
  'shop.connection.check.v1': { input: z.object({ ...deliverTo, ...askedBy }), output: shown },
  /** `notice`: what is left in the shop for a person to remove. */
  'shop.connection.disconnect.v1': { input: z.object(askedBy), output: shown.extend({ notice: z.string() }) },
} as const;
