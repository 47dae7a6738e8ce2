import { check } from '@order-automation/contracts';
import type { Route } from '../src/http/route';
import { refusalsOf } from '../src/openapi/refusals';
import { table } from '../src/routes';

const rows: readonly Route[] = table;

/** The row that answers this path below the base path: fixed segments win over parameters. */
export function rowOf(method: string, path: string): Route | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return rows
    .filter((row) => row.method === asked && pattern(row).test(path.split('?', 1)[0] ?? ''))
    .sort((a, b) => parameters(a) - parameters(b))[0];
}

function pattern({ path }: Route): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}

function parameters({ path }: Route): number {
  return path.split('{').length;
}

/** Fails unless a JSON answer is one that its row documents: status, body without a field more, code of a refusal. */
export function expectDocumented(method: string, path: string, status: number, body: unknown): void {
  const row = rowOf(method, path);
  if (!row || row.kind !== undefined || status === 405 || isNoRoute(body)) return;
  const refused = `${status} ${(body as { code?: string }).code}`;
  if (refusalsOf(row).some((refusal) => `${refusal.status} ${refusal.code}` === refused)) return;
  const schema = row.answers[status];
  expect({ status, body, documented: schema !== undefined }).toEqual({ status, body, documented: true });
  if (schema) expect(check(schema, body)).toEqual({ ok: true, value: body });
}

function isNoRoute(body: unknown): boolean {
  return (body as { code?: string }).code === 'rest_no_route';
}
