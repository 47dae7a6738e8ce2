import { shopConnectionSchema, shopKeysSchema } from '@order-automation/contracts';
import { z } from 'zod';
import type { Identity } from '../../auth/identity';
import type { Edge } from '../../http/edge';
import { route, seconds } from '../../http/route';

/** A shop that is slow is waited for: a check asks it about fifteen times. */
const own = { tag: 'Shop', access: { needs: 'administrator' }, timeout: seconds(60) } as const;
const changes = { ...own, errors: ['svc_set_by_environment', 'svc_version_conflict'] } as const;
const connected = { ...own, errors: ['svc_set_by_environment', 'svc_shop_not_connected'] } as const;
const { shape: keys } = shopKeysSchema;
const address = z.string().trim().min(1).max(500);

/** Only PUBLIC_URL is believed: the shop goes on sending there. */
const asked = ({ identity }: { readonly identity: Identity }, { publicUrl }: Edge) => ({
  public_url: publicUrl ?? null,
  by: identity.name,
});

/** Which shop the installation works on, and how an administrator connects another without a restart (decisions.md section 5). */
export const shopConnectionRoutes = [
  route('GET /v1/shop/connection', 'Read which shop is connected', {
    ...own,
    answers: { 200: shopConnectionSchema },
    handle: (call, edge) => call.answer('shop.connection.get.v1', asked(call, edge)),
  }),
  route('PUT /v1/shop/connection', 'Connect a WooCommerce shop with a key', {
    ...changes,
    body: z.strictObject({ address, ...keys }),
    answers: { 200: shopConnectionSchema },
    handle: (call, edge) => call.answer('shop.connection.connect.v1', { ...call.body, ...asked(call, edge) }),
  }),
  route('POST /v1/shop/connection/authorize', 'Ask a WooCommerce shop to make a key', {
    ...changes,
    errors: [...changes.errors, 'svc_public_url_not_https'],
    body: z.strictObject({ address }),
    answers: { 200: z.object({ authorize_url: z.string(), expires_at: z.iso.datetime() }) },
    handle: (call, edge) => call.answer('shop.connection.authorize.v1', { ...call.body, ...asked(call, edge) }),
  }),
  route('POST /v1/shop/connection/keys', 'Take the key that a WooCommerce shop made', {
    tag: 'Shop',
    access: 'open',
    maxBody: 8_192,
    timeout: seconds(20),
    body: z.object({ user_id: z.string().max(2_000), key_permissions: z.string().max(50), ...keys }),
    answers: { 200: z.object({ connected: z.literal(true) }) },
    errors: ['svc_authorization_not_found', 'svc_set_by_environment', 'svc_version_conflict'],
    handle: ({ body: { user_id: nonce, key_permissions: permissions, ...sent }, answer }) =>
      answer('shop.connection.receive-keys.v1', { nonce, permissions, ...sent }),
  }),
  route('POST /v1/shop/connection/check', 'Check the WooCommerce shop', {
    ...connected,
    answers: { 200: shopConnectionSchema },
    handle: (call, edge) => call.answer('shop.connection.check.v1', asked(call, edge)),
  }),
  route('DELETE /v1/shop/connection', 'Disconnect the WooCommerce shop', {
    ...connected,
    answers: { 200: shopConnectionSchema.extend({ notice: z.string() }) },
    handle: (call, edge) => call.answer('shop.connection.disconnect.v1', asked(call, edge)),
  }),
] as const;
