import { type SenderSecret, ServiceError } from '@order-automation/contracts';
import type { Clock, Sealer } from '@order-automation/service';
import type { GatewaySecrets, GatewaySecretsDocument } from '../connections/gateway-secrets';
import { endedBy, type StoredSecret, storedSecret, withoutSecret, withSecret } from '../connections/secret-set';
import type { SecretUses } from '../connections/secret-uses';
import { checkSecret, connectionSecrets, gatewaySecretsOf, type SecretForm } from '../connections/secrets';
import { isLive } from '../gateways/connection';
import { compareAndSet } from './compare-and-set';
import { type ChangingConnections, existingConnection, updateConnection } from './connections';
import { shownSecrets, timeOf } from './records';

export type SecretParts = ChangingConnections & {
  readonly gatewaySecrets: GatewaySecrets;
  readonly secretUses: SecretUses;
  readonly sealer: Sealer;
  readonly clock: Clock;
};

type Change = (secrets: readonly StoredSecret[], form: SecretForm) => readonly StoredSecret[];

/** A sender whose secrets are kept here: a gateway or a connection. */
export type SecretHolder = {
  /** What the log calls it. */
  readonly words: string;
  /** Those that count, newest first. */
  list(): Promise<SenderSecret[]>;
  /** Replaces those that administrators gave it. `end`: when a new one ends the older ones, in milliseconds since the epoch. */
  change(change: Change, end?: number | null): Promise<void>;
};

export function connectionHolder(parts: SecretParts, name: string): SecretHolder {
  return {
    words: `the connection ${name}`,
    list: async () => shownSecrets((await existingConnection(parts, name)).secrets, parts),
    change: (change) =>
      updateConnection(parts, name, (document) => ({
        ...document,
        secrets: change(document.secrets, connectionSecrets(name, document.auth_method)),
      })),
  };
}

/** `endsEnvironment`: secrets of the environment get the end that a new one gives the older ones. */
export function gatewayHolder(parts: SecretParts, gateway: string, endsEnvironment = false): SecretHolder {
  const { document: read, replace, refresh } = parts.gatewaySecrets;
  return {
    words: gateway,
    list: () => listGatewaySecrets(parts, gateway),
    change: async (change, end = null) => {
      await compareAndSet(gateway, { read: () => read(gateway), replace }, (document) => ({
        ...document,
        secrets: change(document.secrets, gatewaySecretsOf(gateway)),
        ...(endsEnvironment && end !== null && { ended_environment: endEnvironment(parts, document, end) }),
      }));
      await refresh();
      await parts.settingsChanged();
    },
  };
}

/** Those that count, newest first; the environment's come last. */
export async function listGatewaySecrets(parts: SecretParts, gateway: string): Promise<SenderSecret[]> {
  const { gatewaySecrets, secretUses, clock } = parts;
  const { secrets } = await gatewaySecrets.document(gateway);
  const ofEnvironment = gatewaySecrets.environment(gateway).filter((one) => isLive(one, clock.now()));
  return [
    ...shownSecrets(secrets, parts),
    ...ofEnvironment.map(({ id = '', value, expiresAt }) => ({
      id,
      last4: value.slice(-4),
      source: 'environment' as const,
      since: null,
      until: timeOf(expiresAt),
      last_used_at: timeOf(secretUses.lastOf(id)),
    })),
  ];
}

const hour = 3_600_000;

export type NewSecret = {
  /** For how long older ones count; null: as long as they did. */
  readonly overlapHours: number | null;
  /** The sender's own; else one is made here. */
  readonly given: string | undefined;
};

/** Puts a new secret before the others. Resolves with the one that was made here, to be shown once. */
export async function addSecret(
  { sealer, clock }: SecretParts,
  holder: SecretHolder,
  { overlapHours, given }: NewSecret,
): Promise<string | null> {
  const now = clock.now();
  const end = overlapHours === null ? null : now + overlapHours * hour;
  let value = '';
  await holder.change((before, form) => {
    if (given !== undefined) checkSecret(form, given);
    value = given ?? form.make();
    return withSecret(before, storedSecret(sealer, form.owner, value, now), end, now);
  }, end);
  return given === undefined ? value : null;
}

/** Ends a secret at once; resolves with its last four characters. 404 `svc_secret_not_found`. */
export async function removeSecret(
  { secretUses, clock }: SecretParts,
  holder: SecretHolder,
  id: string,
): Promise<string> {
  let last4 = '';
  await holder.change((before) => {
    const without = withoutSecret(before, id, clock.now());
    if (!without) throw new ServiceError(404, 'svc_secret_not_found', 'There is no secret of this id.', { id });
    ({ last4 } = without.removed);
    return without.secrets;
  });
  await secretUses.forget(id);
  return last4;
}

/** Ends of the environment's secrets that are remembered. */
const maxEnded = 50;

/** One end for each secret of the environment: this one, or an earlier one that it has. Those that another instance may still have keep theirs. */
function endEnvironment(
  { gatewaySecrets, sealer, clock }: SecretParts,
  { _id: gateway, ended_environment }: GatewaySecretsDocument,
  end: number,
): readonly StoredSecret[] {
  const { owner } = gatewaySecretsOf(gateway);
  const current = gatewaySecrets.environment(gateway);
  const values = new Set(current.map(({ value }) => value));
  const elsewhere = ended_environment.filter((one) => !values.has(sealer.open(one.sealed, owner)));
  const ended = current.map(({ value, expiresAt }) =>
    endedBy(endedBy(storedSecret(sealer, owner, value, clock.now()), expiresAt), end),
  );
  return [...ended, ...elsewhere].slice(0, maxEnded);
}
