import { createHmac } from 'node:crypto';
import type { Sealer } from '@order-automation/service';
import { isDuplicateKey, type Store } from '@order-automation/store';
import type { Logger } from 'pino';
import type { LiveSecret } from '../gateways/connection';
import { newestRead } from './newest-read';
import { type StoredSecret, sealedAgain, secretOpener } from './secret-set';
import { sealedForGateway } from './secrets';

/** The secrets that administrators gave a gateway; `_id` is its name. */
export type GatewaySecretsDocument = {
  readonly _id: string;
  /** Newest first. */
  readonly secrets: readonly StoredSecret[];
  /** Secrets of the environment that were given an end. */
  readonly ended_environment: readonly StoredSecret[];
  /** Counts changes: an update names the one it was made from. */
  readonly version: number;
};

/** The secrets of gateways, as the receiving path reads them: without a look into the store for each webhook. */
export type GatewaySecrets = {
  /** Whether the gateway's webhooks are proved by secrets. */
  has(gateway: string): boolean;
  gateways(): readonly string[];
  /** Newest first, those that ended or were removed lately included; the environment's come last. */
  all(gateway: string): readonly LiveSecret[];
  /** Those of the environment, with the ends that they were given. */
  environment(gateway: string): readonly LiveSecret[];
  /** As it is stored. */
  document(gateway: string): Promise<GatewaySecretsDocument>;
  /** False when it has changed since. */
  replace(document: GatewaySecretsDocument): Promise<boolean>;
  /** Reads them again. Rejects when the store is unavailable. */
  refresh(): Promise<void>;
  /** Encrypts them with the active key. */
  reencrypt(): Promise<void>;
};

/** The secrets that the configuration names for each gateway that takes secrets. */
export type Environment = Readonly<Record<string, readonly LiveSecret[]>>;

type Parts = {
  readonly store: Store;
  readonly sealer: Sealer;
  /** Names the secrets of the environment without giving anything of them away. */
  readonly key: Buffer;
  readonly environment: Environment;
  readonly log: Logger;
};

/** Gateways that have secrets are as few as adapters that take them. */
const maxGateways = 100;

type Known = { readonly environment: readonly LiveSecret[]; readonly all: readonly LiveSecret[] };

/** Opens the collection, and re-encrypts secrets that the active key has not encrypted. */
export async function openGatewaySecrets({ store, sealer, key, environment, log }: Parts): Promise<GatewaySecrets> {
  const { all, document, replace } = await openDocuments(store);
  const named = Object.fromEntries(
    Object.entries(environment).map(([gateway, secrets]) => [gateway, secrets.map((one) => withId(key, gateway, one))]),
  );
  const names = Object.keys(environment);
  const open = secretOpener(sealer, (error, owner) =>
    log.error({ err: error, owner }, 'a secret of a gateway cannot be decrypted'),
  );
  const known = new Map<string, Known>();
  const refresh = newestRead(all, (found) => {
    const stored = new Map(found.map((one) => [one._id, one]));
    for (const gateway of names) {
      const { secrets, ended_environment } = stored.get(gateway) ?? blank(gateway);
      const ends = open(sealedForGateway(gateway), ended_environment);
      const ofEnvironment = (named[gateway] ?? []).map((one) => withEnd(one, ends));
      known.set(gateway, {
        environment: ofEnvironment,
        all: [...open(sealedForGateway(gateway), secrets), ...ofEnvironment],
      });
    }
  });
  const reencrypt = async (): Promise<void> => {
    for (const gateway of names) await rewrap(await document(gateway), { sealer, replace, log });
  };
  await reencrypt();
  await refresh();
  return {
    has: (gateway) => names.includes(gateway),
    gateways: () => names,
    all: (gateway) => known.get(gateway)?.all ?? [],
    environment: (gateway) => known.get(gateway)?.environment ?? [],
    document,
    replace,
    refresh,
    reencrypt,
  };
}

async function openDocuments(store: Store) {
  const documents = await store.collection<GatewaySecretsDocument>('gateway_secrets');
  return {
    all: () => documents.find({}).limit(maxGateways).toArray(),
    document: async (gateway: string): Promise<GatewaySecretsDocument> =>
      (await documents.findOne({ _id: gateway })) ?? blank(gateway),
    replace: async ({ _id, ...fields }: GatewaySecretsDocument): Promise<boolean> => {
      const changed = await documents.updateOne({ _id, version: fields.version - 1 }, { $set: fields });
      if (changed.matchedCount === 1) return true;
      if (fields.version !== 1) return false;
      try {
        await documents.insertOne({ _id, ...fields });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

function blank(gateway: string): GatewaySecretsDocument {
  return { _id: gateway, secrets: [], ended_environment: [], version: 0 };
}

function withId(key: Buffer, gateway: string, secret: LiveSecret): LiveSecret {
  const digest = createHmac('sha256', key).update(`secret of ${gateway} `).update(secret.value).digest('hex');
  return { ...secret, id: `env_${digest.slice(0, 16)}` };
}

/** The earlier of the end that the environment says, and the one that an administrator gave it. */
function withEnd(secret: LiveSecret, ends: readonly LiveSecret[]): LiveSecret {
  const expiresAt = ends
    .filter(({ value }) => value === secret.value)
    .reduce<number | null>(
      (end, given) => (given.expiresAt === null ? end : Math.min(end ?? given.expiresAt, given.expiresAt)),
      secret.expiresAt,
    );
  return { ...secret, expiresAt };
}

type Rewrapping = Pick<GatewaySecrets, 'replace'> & Pick<Parts, 'sealer' | 'log'>;

async function rewrap(document: GatewaySecretsDocument, { sealer, replace, log }: Rewrapping): Promise<void> {
  const { _id: gateway, version } = document;
  const again = (secrets: readonly StoredSecret[]) => sealedAgain(sealer, sealedForGateway(gateway), secrets);
  const [secrets, ended] = [again(document.secrets), again(document.ended_environment)];
  if (!secrets && !ended) return;
  await replace({
    _id: gateway,
    secrets: secrets ?? document.secrets,
    ended_environment: ended ?? document.ended_environment,
    version: version + 1,
  });
  log.info({ gateway }, 'secrets of a gateway were re-encrypted');
}
