import { randomBytes } from 'node:crypto';
import { invalidParameters, isoTime, type RequestInput, ServiceError } from '@order-automation/contracts';
import { type Clock, type SharedKeyRing, sealer } from '@order-automation/service';
import { insertNew, type Store } from '@order-automation/store';

/** A secret that signs outbound calls. Its value is readable under SECRET_KEY alone. */
export type SecretDocument = {
  readonly _id: string;
  readonly sealed: string;
  readonly last4: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export type Secrets = Awaited<ReturnType<typeof openSecrets>>;

const maxSecrets = 500;

export async function openSecrets(store: Store, keys: SharedKeyRing, clock: Clock) {
  const documents = await store.collection<SecretDocument>('secrets');
  const { seal, open, isOld } = sealer(keys);
  const sealedFor = (name: string): string => `evaluation.secret:${name}`;
  const all = () => documents.find({}).sort({ _id: 1 }).limit(maxSecrets).toArray();
  const reencrypt = async (): Promise<void> => {
    for (const { _id, sealed } of (await all()).filter((one) => isOld(one.sealed)))
      await documents.updateOne(
        { _id, sealed },
        { $set: { sealed: seal(open(sealed, sealedFor(_id)), sealedFor(_id)) } },
      );
  };
  await reencrypt();
  keys.onRotation(reencrypt);
  return {
    list: async () => ({ secrets: (await all()).map(shown) }),
    /** Creates or replaces. A value that we make is in the answer, and never again. */
    put: async ({ name, value }: RequestInput<'evaluation.secret.put.v1'>) => {
      const problem = value === null ? null : problemOf(value);
      if (problem !== null) throw invalidParameters([{ path: 'value', message: problem }]);
      const secret = value ?? `whsec_${randomBytes(32).toString('base64')}`;
      const at = isoTime(clock.now());
      const changed = { sealed: seal(secret, sealedFor(name)), last4: secret.slice(-4), updated_at: at };
      const document: SecretDocument = { _id: name, ...changed, created_at: at };
      const duplicates = await insertNew(documents, [document]);
      if (duplicates.length > 0) await documents.updateOne({ _id: name }, { $set: changed });
      const kept = (await documents.findOne({ _id: name })) ?? document;
      return { secret: shown(kept), created: duplicates.length === 0, value: value === null ? secret : null };
    },
    remove: async ({ name }: RequestInput<'evaluation.secret.delete.v1'>) => {
      const { deletedCount } = await documents.deleteMany({ _id: name });
      if (deletedCount === 0) throw new ServiceError(404, 'svc_secret_not_found', `There is no secret "${name}".`);
      return { deleted: true };
    },
    /** Null when there is no such secret. */
    valueOf: async (name: string) => {
      const document = await documents.findOne({ _id: name });
      return document && open(document.sealed, sealedFor(name));
    },
  };
}

function shown({ _id: name, last4, created_at, updated_at }: SecretDocument) {
  return { name, last4, created_at, updated_at };
}

/** Standard Webhooks: `whsec_` and 24 to 64 bytes in base64; any other text is taken as it is. */
function problemOf(value: string): string | null {
  if (value.length < 16) return 'must have at least 16 characters';
  if (!value.startsWith('whsec_')) return null;
  const bytes = Buffer.from(value.slice('whsec_'.length), 'base64').length;
  return bytes >= 16 && bytes <= 64 ? null : 'must be whsec_ and 24 to 64 bytes in base64';
}
