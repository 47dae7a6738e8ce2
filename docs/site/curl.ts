import { addressOf } from '../../services/api-gateway/src/client';
import type { Route } from '../../services/api-gateway/src/http/route';

/** A command that calls the route's example; `$LOGIN` is a user name and an application password, `$BASE` the address of the service. */
export function curlOf(row: Route): string {
  const { method, path, access, rawBody, example = {} } = row;
  const parts = ['curl -sS'];
  if (access !== 'open') parts.push('-u "$LOGIN"');
  if (method !== 'GET' && !(method === 'POST' && hasBody(row))) parts.push(`-X ${method}`);
  if (access !== 'open' && access.nonce === 'always') parts.push('-H "X-Host-Nonce: $NONCE"');
  if (hasBody(row)) parts.push(`-H 'Content-Type: ${rawBody?.types[0] ?? 'application/json'}'`);
  if (row.kind === 'stream') parts.push('-N');
  parts.push(`"$BASE${addressOf(path, example.params, example.query)}"`);
  const command = parts.join(' ');
  return hasBody(row) ? `${command} \\\n  -d ${quoted(bodyOf(row))}` : command;
}

function hasBody({ body, rawBody }: Route): boolean {
  return body !== undefined || rawBody !== undefined;
}

function bodyOf({ example }: Route): string {
  const { body = {} } = example ?? {};
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
