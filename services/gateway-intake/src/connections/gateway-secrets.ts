import { createHmac } from 'node:crypto';
import type { LiveSecret } from '../gateways/connection';
import type { StoredSecret } from './secret-set';
import { newestRead, openSenders, type SenderDeps, type SenderDocument } from './sender-documents';

export type GatewaySecretsDocument = SenderDocument & { readonly ended_environment: readonly StoredSecret[] };

export type GatewaySecrets = Awaited<ReturnType<typeof openGatewaySecrets>>;

type Environment = {
  /** The secrets that the configuration names for each gateway that takes secrets. */
  readonly environment: Readonly<Record<string, readonly LiveSecret[]>>;
  /** Names the secrets of the environment without giving anything of them away. */
  readonly key: Buffer;
};

/** Gateways that have secrets are as few as adapters that take them. */
const maxGateways = 100;

/** Opens the secrets of gateways, as the receiving path reads them: without a look into the store for each webhook. */
export async function openGatewaySecrets(deps: SenderDeps, { environment, key }: Environment) {
  const senders = { name: 'gateway_secrets', kind: 'gateway', max: maxGateways } as const;
  const stored = await openSenders<GatewaySecretsDocument>(deps, senders);
  const named = new Map(
    Object.entries(environment).map(([gateway, secrets]) => [gateway, secrets.map((one) => withId(key, gateway, one))]),
  );
  const known = new Map<string, Readonly<Record<'environment' | 'all', readonly LiveSecret[]>>>();
  const refresh = newestRead(stored.all, (found) => {
    for (const [gateway, secrets] of named) {
      const document = found.find(({ _id }) => _id === gateway) ?? blank(gateway);
      const ends = stored.open(gateway, document.ended_environment);
      const ofEnvironment = secrets.map((one) => withEnd(one, ends));
      const all = [...stored.open(gateway, document.secrets), ...ofEnvironment];
      known.set(gateway, { environment: ofEnvironment, all });
    }
  });
  const document = async (gateway: string) => (await stored.byName(gateway)) ?? blank(gateway);
  await refresh();
  return {
    /** Whether the gateway's webhooks are proved by secrets. */
    has: (gateway: string) => named.has(gateway),
    gateways: () => [...named.keys()],
    /** Newest first, those that ended or were removed lately included; the environment's come last. */
    all: (gateway: string) => known.get(gateway)?.all ?? [],
    /** Those of the environment, with the ends that they were given. */
    environment: (gateway: string) => known.get(gateway)?.environment ?? [],
    document,
    change: async (gateway: string, change: (before: GatewaySecretsDocument) => GatewaySecretsDocument) => {
      await stored.change(gateway, () => document(gateway), change);
      await refresh();
      await deps.settingsChanged();
    },
    refresh,
    reencrypt: stored.reencrypt,
  };
}

function blank(gateway: string): GatewaySecretsDocument {
  return { _id: gateway, secrets: [], ended_environment: [], version: 0 };
}

function withId(key: Buffer, gateway: string, secret: LiveSecret): LiveSecret {
  const digest = createHmac('sha256', key).update(`secret of ${gateway} `).update(secret.value).digest('hex');
  return { ...secret, id: `env_${digest.slice(0, 16)}` };
}

/** The earlier of the end that the environment says, and those that an administrator gave it. */
function withEnd(secret: LiveSecret, ended: readonly LiveSecret[]): LiveSecret {
  const given = ended.filter(({ value }) => value === secret.value);
  const ends = [secret, ...given].flatMap(({ expiresAt }) => expiresAt ?? []);
  return { ...secret, expiresAt: ends.length === 0 ? null : Math.min(...ends) };
}
