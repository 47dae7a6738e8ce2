import type { ConnectionRecord } from '@order-automation/contracts';
import type { ConnectionDocument } from '../connections/collection';
import type { EndpointDocument } from '../connections/endpoints';
import { genericGateway } from '../gateways/generic/adapter';

export function endpointName(connection: string): string {
  return `${genericGateway}/${connection}`;
}

/** A connection as administrators see it. */
export function connectionRecord(
  document: ConnectionDocument,
  counted: EndpointDocument | undefined,
  now: number,
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
    created_at,
    updated_at,
  } = document;
  const live = document.secrets.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now);
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
    secret_last4: live[0]?.last4 ?? null,
    secrets: live.map(({ last4, created_at: since, expires_at }) => ({ last4, created_at: since, expires_at })),
    created_at,
    updated_at,
    ...countedOf(counted),
  };
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
