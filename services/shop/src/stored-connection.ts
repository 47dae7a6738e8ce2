import { createHash, randomBytes } from 'node:crypto';
import { ServiceError, type ShopConnection } from '@order-automation/contracts';
import { type SharedKeyRing, sealer } from '@order-automation/service';
import { type IndexDescription, insertNew, type Store } from '@order-automation/store';
import { z } from 'zod';

export type ShopKeys = { readonly consumer_key: string; readonly consumer_secret: string };
/** Webhooks of ours in the shop: where they deliver, and the secret of intake that they sign with. */
export type OwnWebhooks = { readonly deliver_to: string; readonly id: string; readonly secret: string };

type ConnectedShop = {
  readonly address: string;
  /** ShopKeys, readable under SECRET_KEY alone. */
  readonly sealed_keys: string;
  readonly key_last4: string;
  readonly connected_at: string;
  readonly connected_by: string;
  /** OwnWebhooks, as the keys; null while there are none. */
  readonly sealed_webhooks: string | null;
};

/** The shop that an administrator connected. */
export type ConnectionDocument = {
  readonly _id: 'shop';
  /** Counts changes: an update names the one it was made from, and instances compare it with the one they use. */
  readonly version: number;
  /** Null when it is disconnected. */
  readonly shop: ConnectedShop | null;
  /** The address of the shop that the connector has noted orders of. */
  readonly noted: string | null;
  readonly check: ShopConnection['check'];
};

/** A shop that was asked for keys: `_id` is the digest of the nonce. */
type AuthorizationDocument = {
  readonly _id: string;
  readonly address: string;
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
};

export const authorizationIndexes: readonly IndexDescription[] = [{ name: 'expires_at', key: { expires_at: 1 } }];

/** Milliseconds within which a person has let WooCommerce make the keys. */
const authorizedWithin = 15 * 60_000;
const digestOf = (nonce: string): string => createHash('sha256').update(nonce).digest('hex');

const keysSchema = z.object({ consumer_key: z.string(), consumer_secret: z.string() });
const webhooksSchema = z.object({ deliver_to: z.string(), id: z.string(), secret: z.string() });

export type StoredConnection = Awaited<ReturnType<typeof openStoredConnection>>;

export async function openStoredConnection(store: Store, keys: SharedKeyRing) {
  const documents = await store.collection<ConnectionDocument>('shop_connection');
  const authorizations = await store.collection<AuthorizationDocument>('shop_authorizations', authorizationIndexes);
  const { seal, open, isOld } = sealer(keys);
  const [keysOf, webhooksOf] = ['keys', 'webhooks'].map((what) => (address: string) => `shop.${what}:${address}`) as [
    (address: string) => string,
    (address: string) => string,
  ];
  const read = () => documents.findOne({ _id: 'shop' });
  /** Compares and sets. 412 `svc_version_conflict` when somebody else changed it. */
  const put = async (before: ConnectionDocument | null, fields: Omit<ConnectionDocument, '_id' | 'version'>) => {
    const document = { _id: 'shop', version: (before?.version ?? 0) + 1, ...fields } as const;
    const { _id, ...$set } = document;
    const isPut = before
      ? (await documents.updateOne({ _id, version: before.version }, { $set })).matchedCount === 1
      : (await insertNew(documents, [document])).length === 0;
    if (!isPut)
      throw new ServiceError(412, 'svc_version_conflict', 'Somebody else is changing the connection of the shop.');
    return document;
  };
  const sealedAgain = (text: string, owner: string): string => seal(open(text, owner), owner);
  const reencrypt = async (): Promise<void> => {
    const document = await read();
    const shop = document?.shop;
    if (!shop || !isOld(shop.sealed_keys)) return;
    const { address, sealed_keys, sealed_webhooks } = shop;
    const webhooks = sealed_webhooks && sealedAgain(sealed_webhooks, webhooksOf(address));
    const again = { ...shop, sealed_keys: sealedAgain(sealed_keys, keysOf(address)), sealed_webhooks: webhooks };
    await documents.updateOne({ _id: 'shop', version: document.version }, { $set: { shop: again } });
  };
  await reencrypt();
  keys.onRotation(reencrypt);
  return {
    documents,
    read,
    put,
    sealKeys: (address: string, given: ShopKeys): string => seal(JSON.stringify(given), keysOf(address)),
    sealWebhooks: (address: string, own: OwnWebhooks): string => seal(JSON.stringify(own), webhooksOf(address)),
    keysOf: ({ address, sealed_keys }: ConnectedShop): ShopKeys =>
      keysSchema.parse(JSON.parse(open(sealed_keys, keysOf(address)))),
    webhooksOf: ({ address, sealed_webhooks }: ConnectedShop): OwnWebhooks | null =>
      sealed_webhooks === null ? null : webhooksSchema.parse(JSON.parse(open(sealed_webhooks, webhooksOf(address)))),
    /** Stays the same connection: instances go on with the one they use. */
    putCheck: (version: number, check: ConnectionDocument['check']) =>
      documents.updateOne({ _id: 'shop', version }, { $set: { check } }),
    /** A nonce that may be used once, for `authorizedWithin`. */
    authorize: async (address: string, by: string, now: number) => {
      const nonce = randomBytes(32).toString('base64url');
      const expires_at = now + authorizedWithin;
      await authorizations.deleteMany({ expires_at: { $lte: now } });
      await authorizations.insertOne({ _id: digestOf(nonce), address, by, expires_at });
      return { nonce, expires_at };
    },
    /** Uses the nonce up; null when there is none, or no more. */
    takeAuthorization: async (nonce: string, now: number) => {
      const found = await authorizations.findOne({ _id: digestOf(nonce) });
      if (!found || found.expires_at <= now) return null;
      return (await authorizations.deleteMany({ _id: found._id })).deletedCount === 1 ? found : null;
    },
  };
}
