import { type ConnectionRecord, orderNames, type SenderSecret } from '@order-automation/contracts';
import type { ConnectionDocument } from '../connections/collection';
import type { EndpointDocument } from '../connections/endpoints';
import { type Reading, readingOf } from '../connections/reading';
import { isLiveSecret, type StoredSecret } from '../connections/secret-set';
import { genericGateway } from '../gateways/generic/idempotency-keys';
import { namesNoOrder } from '../gateways/references';
import { type EndParts, warningsOf } from './end-warnings';

export function endpointName(connection: string): string {
  return `${genericGateway}/${connection}`;
}

/** How references are read, with the last one as an example. */
export function referenceFields(reading: Reading, counted: EndpointDocument | undefined) {
  const { order_reference, order_prefix } = reading;
  const last = counted?.last_reference;
  const names = last ? orderNames({ ...namesNoOrder, references: [last], reading }) : [];
  const last_reference = last ? { ...last, read_as: names.map(({ text }) => text) } : null;
  return { order_reference, order_prefix: order_prefix ?? '', last_reference };
}

/** A connection as administrators see it. */
export function connectionRecord(
  document: ConnectionDocument,
  counted: EndpointDocument | undefined,
  parts: Pick<EndParts, 'senders' | 'secretUses' | 'clock'>,
): ConnectionRecord {
  const {
    _id: name,
    id,
    enabled,
    auth_method,
    hmac_header,
    encoding,
    prefix,
    paths,
    amount_unit = 'major',
    created_at,
    updated_at,
  } = document;
  const reading = readingOf(document);
  const secrets = shownSecrets(document.secrets, parts);
  return {
    id,
    name,
    gateway: genericGateway,
    enabled,
    paused: counted?.paused ?? false,
    auth_method,
    hmac_header,
    encoding,
    prefix,
    paths,
    ...referenceFields(reading, counted),
    amount_unit,
    secret_last4: secrets[0]?.last4 ?? null,
    secrets: secrets.map(({ id, last4, since, until, last_used_at }) => ({
      id,
      last4,
      created_at: since ?? created_at,
      expires_at: until,
      last_used_at,
    })),
    created_at,
    updated_at,
    ...countedOf(counted),
    warnings: warningsOf(endpointName(name), parts),
  };
}

/** Those of stored secrets that count, as administrators see them. */
export function shownSecrets(
  stored: readonly StoredSecret[],
  { secretUses, clock }: Pick<EndParts, 'secretUses' | 'clock'>,
): SenderSecret[] {
  return stored
    .filter((one) => isLiveSecret(one, clock.now()))
    .map(({ id, last4, created_at, expires_at }) => ({
      id,
      last4,
      source: 'api',
      since: created_at,
      until: expires_at,
      last_used_at: timeOf(secretUses.lastOf(id)),
    }));
}

export function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** What was counted of an endpoint, as the listings show it. */
export function countedOf(counted: EndpointDocument | undefined) {
  const refusal = counted?.last_refusal;
  return {
    last_event_at: counted?.last_event_at ?? null,
    last_refusal: refusal && counted.last_refusal_at !== undefined ? { at: counted.last_refusal_at, ...refusal } : null,
    counts: {
      accepted: counted?.accepted ?? 0,
      duplicates: counted?.duplicates ?? 0,
      refused: counted?.refused ?? 0,
    },
  };
}
