import type { Route } from '../../services/api-gateway/src/http/route';
import { table } from '../../services/api-gateway/src/routes';
import { curlOf } from './curl';

test.each([
  ['GET /v1/rules', 'curl -sS -u "$LOGIN" "$BASE/v1/rules"'],
  ['GET /v1/webhooks/health', 'curl -sS "$BASE/v1/webhooks/health"'],
  ['DELETE /v1/rules/{id}', 'curl -sS -u "$LOGIN" -X DELETE "$BASE/v1/rules/1"'],
])('the command of %s', (name, command) => {
  const rows: readonly Route[] = table;
  const row = rows.find(({ method, path }) => `${method} ${path}` === name);
  expect(row && curlOf(row)).toBe(command);
});

test('every parameter of every path has an example', () => {
  const rows: readonly Route[] = table;
  expect(rows.map(curlOf).filter((command) => command.includes('%7B'))).toEqual([]);
});
