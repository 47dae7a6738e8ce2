import { ServiceError, type ShopConnection } from '@order-automation/contracts';
import { type SharedKeyRing, sealer } from '@order-automation/service';
import { type Documents, insertNew, type Store } from '@order-automation/store';
import { z } from 'zod';

const secretsSchema = z.object({
  consumer_key: z.string(),
  consumer_secret: z.string(),
  /** Webhooks of ours in the shop: where they deliver, and the secret of intake that they sign with; null while there are none. */
  webhooks: z.object({ deliver_to: z.string(), id: z.string(), secret: z.string() }).nullable(),
});
type ShopSecrets = z.infer<typeof secretsSchema>;
export type ShopKeys = Omit<ShopSecrets, 'webhooks'>;
export type OwnWebhooks = NonNullable<ShopSecrets['webhooks']>;

type ConnectedShop = {
  readonly address: string;
  /** ShopSecrets, readable under SECRET_KEY alone. */
  readonly sealed: string;
  readonly connected_at: string;
  readonly connected_by: string;
};

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

/** A shop that was asked for keys, for which connection, and until when (milliseconds since the epoch). */
const approvalSchema = z.object({ address: z.string(), by: z.string(), version: z.int(), expires_at: z.number() });
type Approval = z.infer<typeof approvalSchema>;
const approvalOwner = 'shop.approval';

const ownerOf = (address: string): string => `shop.secrets:${address}`;

export type StoredConnection = Awaited<ReturnType<typeof openStoredConnection>>;

export async function openStoredConnection(store: Store, keys: SharedKeyRing) {
  const documents = await store.collection<ConnectionDocument>('shop_connection');
  const { seal, open, isOld } = sealer(keys);
  const read = () => documents.findOne({ _id: 'shop' });
  /** Stays the same connection: instances go on with the one they use. */
  const amend = (version: number, $set: Partial<Pick<ConnectionDocument, 'shop' | 'check'>>) =>
    documents.updateOne({ _id: 'shop', version }, { $set });
  const reencrypt = async (): Promise<void> => {
    const { shop, version = 0 } = (await read()) ?? {};
    if (!shop || !isOld(shop.sealed)) return;
    const owner = ownerOf(shop.address);
    await amend(version, { shop: { ...shop, sealed: seal(open(shop.sealed, owner), owner) } });
  };
  await reencrypt();
  keys.onRotation(reencrypt);
  return {
    read,
    amend,
    put: (before: ConnectionDocument | null, $set: Changed) => put(documents, before, $set),
    seal: (address: string, secrets: ShopSecrets): string => seal(JSON.stringify(secrets), ownerOf(address)),
    secretsOf: ({ address, sealed }: ConnectedShop): ShopSecrets =>
      secretsSchema.parse(JSON.parse(open(sealed, ownerOf(address)))),
    /** What the shop sends back with the keys. It counts until the connection changes, which the keys themselves do. */
    sealApproval: (approval: Approval): string => seal(JSON.stringify(approval), approvalOwner),
    /** Null for what was not made by `sealApproval`. */
    openApproval: (text: string): Approval | null => {
      try {
        return approvalSchema.parse(JSON.parse(open(text, approvalOwner)));
      } catch {
        return null;
      }
    },
  };
}

type Changed = Omit<ConnectionDocument, '_id' | 'version'>;

/** Compares and sets. 412 `svc_version_conflict` when somebody else changed it. */
async function put(
  documents: Documents<ConnectionDocument>,
  before: ConnectionDocument | null,
  changed: Changed,
): Promise<void> {
  const $set = { version: (before?.version ?? 0) + 1, ...changed };
  const isPut = before
    ? (await documents.updateOne({ _id: 'shop', version: before.version }, { $set })).matchedCount === 1
    : (await insertNew(documents, [{ _id: 'shop' as const, ...$set }])).length === 0;
  if (!isPut) throw changedMeanwhile();
}

export const changedMeanwhile = () =>
  new ServiceError(412, 'svc_version_conflict', 'Somebody else is changing the connection of the shop.');
