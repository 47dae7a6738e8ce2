import { type RequestOutput, type SenderSecret, ServiceError } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { type GatewaySecrets, type GatewaySecretsDocument, sealedForGateway } from '../connections/gateway-secrets';
import type { Sealer } from '../connections/sealed';
import { endedBy, isLiveSecret, type StoredSecret, withoutSecret, withSecret } from '../connections/secret-set';
import type { SecretUses } from '../connections/secret-uses';
import { checkGatewaySecret, newGatewaySecret, storedSecret } from '../connections/secrets';
import { isLive, type LiveSecret } from '../gateways/connection';
import { type NewSecret, unknownSecret } from './connections';
import { senderSecret, timeOf } from './records';

export type GatewaySecretParts = {
  readonly gatewaySecrets: GatewaySecrets;
  readonly secretUses: SecretUses;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly settingsChanged: () => Promise<void>;
};

export type Added = RequestOutput<'intake.secret.add.v1'>;

const hour = 3_600_000;

/** Those that count, newest first; the environment's come last. */
export async function listGatewaySecrets(parts: GatewaySecretParts, gateway: string): Promise<SenderSecret[]> {
  const { gatewaySecrets, secretUses, clock } = parts;
  if (!gatewaySecrets.has(gateway)) return [];
  const now = clock.now();
  const { secrets } = await gatewaySecrets.document(gateway);
  return [
    ...secrets.filter((one) => isLiveSecret(one, now)).map((one) => senderSecret(one, secretUses)),
    ...gatewaySecrets
      .environment(gateway)
      .filter((one) => isLive(one, now))
      .map((one) => ofEnvironment(one, secretUses)),
  ];
}

function ofEnvironment({ id = '', value, expiresAt }: LiveSecret, secretUses: SecretUses): SenderSecret {
  return {
    id,
    last4: value.slice(-4),
    source: 'environment',
    since: null,
    until: timeOf(expiresAt),
    last_used_at: timeOf(secretUses.lastOf(id)),
  };
}

type NewGatewaySecret = NewSecret & { readonly includeEnvironment: boolean };

/** A secret beside the others; `includeEnvironment` gives those of the environment the end that older ones get. */
export async function addGatewaySecret(
  parts: GatewaySecretParts,
  gateway: string,
  { overlapHours, given, includeEnvironment }: NewGatewaySecret,
): Promise<Added> {
  const { sealer, clock } = parts;
  if (given !== undefined) checkGatewaySecret(given);
  const value = given ?? newGatewaySecret(gateway);
  const owner = sealedForGateway(gateway);
  const now = clock.now();
  const made = storedSecret(sealer, owner, value, now);
  const end = overlapHours === null ? null : now + overlapHours * hour;
  await update(parts, gateway, (document) => ({
    ...document,
    secrets: withSecret(document.secrets, made, end, now),
    ...(includeEnvironment && end !== null && { ended_environment: endEnvironment(parts, document, end) }),
  }));
  const older = (await listGatewaySecrets(parts, gateway)).filter(({ id }) => id !== made.id);
  return { ...senderSecret(made, parts.secretUses), secret: given === undefined ? value : null, older };
}

/** Ends of the environment's secrets that are remembered. */
const maxEnded = 50;

/** One end for each secret of the environment: this one, or an earlier one that it has. Those that another instance may still have keep theirs. */
function endEnvironment(
  { gatewaySecrets, sealer, clock }: GatewaySecretParts,
  { _id: gateway, ended_environment }: GatewaySecretsDocument,
  end: number,
): readonly StoredSecret[] {
  const owner = sealedForGateway(gateway);
  const current = gatewaySecrets.environment(gateway);
  const values = new Set(current.map(({ value }) => value));
  const elsewhere = ended_environment.filter((one) => !values.has(sealer.open(one.sealed, owner)));
  const ended = current.map(({ value, expiresAt }) => {
    const stored = storedSecret(sealer, owner, value, clock.now());
    return endedBy(expiresAt === null ? stored : endedBy(stored, expiresAt), end);
  });
  return [...ended, ...elsewhere].slice(0, maxEnded);
}

/** Ends a secret at once; resolves with its last four characters. 404 `svc_secret_not_found`; 409 for one of the environment. */
export async function removeGatewaySecret(parts: GatewaySecretParts, gateway: string, id: string): Promise<string> {
  if (parts.gatewaySecrets.environment(gateway).some((one) => one.id === id)) throw belongsToEnvironment(id);
  let last4 = '';
  await update(parts, gateway, (document) => {
    const without = withoutSecret(document.secrets, id, parts.clock.now());
    if (!without) throw unknownSecret(id);
    ({ last4 } = without.removed);
    return { ...document, secrets: without.secrets };
  });
  await parts.secretUses.forget(id);
  return last4;
}

function belongsToEnvironment(id: string): ServiceError {
  const text =
    'This secret stands in the environment and is removed there: take it out of GATEWAY_CARD_SECRETS or GATEWAY_SHOP_SECRETS, and restart. A new secret with include_environment ends it without a restart.';
  return new ServiceError(409, 'svc_secret_of_environment', text, { id });
}

/** Compare and set, so that of two changes at once neither is lost. */
async function update(
  { gatewaySecrets, settingsChanged }: GatewaySecretParts,
  gateway: string,
  change: (document: GatewaySecretsDocument) => GatewaySecretsDocument,
): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = await gatewaySecrets.document(gateway);
    if (!(await gatewaySecrets.replace({ ...change(before), version: before.version + 1 }))) continue;
    await gatewaySecrets.refresh();
    await settingsChanged();
    return;
  }
  throw new ServiceError(412, 'svc_version_conflict', 'The secrets are being changed by somebody else.', { gateway });
}
