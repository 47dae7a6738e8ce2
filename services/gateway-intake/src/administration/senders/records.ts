import { type ConnectionRecord, orderNames, type SenderSecret } from '@order-automation/contracts';
import type { ConnectionDocument } from '../../connections/connections';
import type { EndpointDocument } from '../../connections/endpoints';
import { isLiveSecret, type StoredSecret } from '../../connections/secret-set';
import { isLive, type Reading, readingOf } from '../../gateways/connection';
import { genericGateway } from '../../gateways/generic/idempotency-keys';
import { namesNoOrder } from '../../gateways/references';
import type { Parts } from '../parts';
import { type EndParts, warningsOf } from './end-warnings';

export const endpointName = (connection: string): string => `${genericGateway}/${connection}`;

/** How references are read, with the last one as an example. */
export function referenceFields(reading: Reading, counted: EndpointDocument | undefined) {
  const { order_reference, order_prefix } = reading;
  const last = counted?.last_reference;
  const names = last ? orderNames({ ...namesNoOrder, references: [last], reading }) : [];
  const last_reference = last ? { ...last, read_as: names.map(({ text }) => text) } : null;
  return { order_reference, order_prefix: order_prefix ?? '', last_reference };
}

export function connectionRecord(
  { _id: name, secrets: stored, version: _version, ...settings }: ConnectionDocument,
  counted: EndpointDocument | undefined,
  parts: EndParts,
): ConnectionRecord {
  const secrets = shownSecrets(stored, parts);
  return {
    amount_unit: 'major',
    ...settings,
    name,
    gateway: genericGateway,
    paused: counted?.paused ?? false,
    ...referenceFields(readingOf(settings), counted),
    secret_last4: secrets[0]?.last4 ?? null,
    secrets: secrets.map(({ id, last4, since, until, last_used_at }) => ({
      id,
      last4,
      created_at: since ?? settings.created_at,
      expires_at: until,
      last_used_at,
    })),
    ...countedOf(counted),
    warnings: warningsOf(endpointName(name), parts),
  };
}

/** Those of stored secrets that count, as administrators see them. */
export function shownSecrets(
  stored: readonly StoredSecret[],
  { secretUses, clock }: Pick<Parts, 'secretUses' | 'clock'>,
): SenderSecret[] {
  return stored
    .filter((one) => isLiveSecret(one, clock.now()))
    .map(({ id, last4, created_at: since, expires_at: until }) => {
      return { id, last4, source: 'api', since, until, last_used_at: timeOf(secretUses.lastOf(id)) };
    });
}

/** Those of a gateway that count, newest first; the environment's come last. */
export async function listGatewaySecrets(parts: Parts, gateway: string): Promise<SenderSecret[]> {
  const { gatewaySecrets, secretUses, clock } = parts;
  const { secrets } = await gatewaySecrets.document(gateway);
  const ofEnvironment = gatewaySecrets
    .environment(gateway)
    .filter((one) => isLive(one, clock.now()))
    .map(({ id = '', value, expiresAt }): SenderSecret => {
      const last_used_at = timeOf(secretUses.lastOf(id));
      return { id, last4: value.slice(-4), source: 'environment', since: null, until: timeOf(expiresAt), last_used_at };
    });
  return [...shownSecrets(secrets, parts), ...ofEnvironment];
}

const timeOf = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();

export function countedOf(counted: EndpointDocument | undefined) {
  const {
    accepted = 0,
    duplicates = 0,
    refused = 0,
    last_event_at = null,
    last_refusal,
    last_refusal_at,
  } = counted ?? {};
  return {
    last_event_at,
    last_refusal: last_refusal && last_refusal_at !== undefined ? { at: last_refusal_at, ...last_refusal } : null,
    counts: { accepted, duplicates, refused },
  };
}
