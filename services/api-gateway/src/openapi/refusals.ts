import { type ErrorCode, errorCodes } from '../http/error-codes';
import type { Route } from '../http/route';

export type Refusal = { readonly status: number; readonly code: ErrorCode; readonly meaning: string };

/** Every refusal of a route: its own, and those that follow from its access, parameters and body. By status, then code. */
export function refusalsOf(row: Route): readonly Refusal[] {
  const refusals = [...(row.errors ?? []).flatMap((code) => allOf(code)), ...ofAccess(row), ...ofInput(row)];
  refusals.push(...allOf('svc_internal_error'), ...allOf('svc_unavailable'));
  const distinct = new Map(refusals.map((refusal) => [`${refusal.status} ${refusal.code}`, refusal]));
  return [...distinct.values()].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}

const allOf = (code: ErrorCode): Refusal[] =>
  Object.entries(errorCodes[code]).map(([status, meaning]) => ({ status: Number(status), code, meaning }));

function ofAccess({ access, method, kind }: Route): Refusal[] {
  if (access === 'open') return [];
  // A credential that may only read is refused every change.
  const mayBeForbidden = access.needs !== 'anybody' || method !== 'GET';
  const identified = allOf('rest_forbidden').filter(({ status }) => status === 401 || mayBeForbidden);
  const further = [...allOf('svc_too_many_attempts'), ...(access.extended ? allOf('svc_licence_required') : [])];
  return [...identified, ...further, ...(kind === 'stream' ? allOf('svc_too_many_streams') : [])];
}

function ofInput({ method, params, query, body, yaml, rawBody, tag }: Route): Refusal[] {
  const codes: ErrorCode[] = [];
  // Even a route without parameters refuses the unknown ones.
  if (params || query || body || (tag !== 'Documentation' && tag !== 'Console')) codes.push('rest_invalid_param');
  if (query || body) codes.push('rest_missing_callback_param');
  if (method !== 'GET') codes.push('rest_body_too_large', 'rest_unsupported_media_type', 'rest_request_timeout');
  if (method !== 'GET' && !rawBody) codes.push('rest_invalid_json', 'rest_body_incomplete');
  if (yaml) codes.push('rest_invalid_yaml');
  return codes.flatMap(allOf);
}
