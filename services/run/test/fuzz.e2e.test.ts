import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { type Document, type FuzzRequest, type Operation, requestsOf } from './fuzz-requests';
import { type Product, startEmbedded } from './product';

/** `npm run fuzz` sends 20,000 requests; the test suite fewer, the same ones each time. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 1_500);
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101);
const atOnce = 8;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

let product: Product;
let dir: string;
let base: string;
let document: Document;
let ajv: Ajv;
let credentials: Record<string, string>;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'order-automation-fuzz-'));
  // Nobody is asked: at these addresses nothing listens.
  const gateways = { GATEWAY_CARD_API: 'http://127.0.0.1:9', GATEWAY_WALLET_API: 'http://127.0.0.1:9' };
  const env = { DATA_DIR: dir, PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent', ...gateways };
  product = await startEmbedded({ env, log: 'ignore' });
  base = `http://127.0.0.1:${product.port}`;
  const { ADMIN_APPLICATION_PASSWORD = '' } = parseEnv(readFileSync(join(dir, 'generated.env'), 'utf8'));
  const authorization = `Basic ${Buffer.from(`admin:${ADMIN_APPLICATION_PASSWORD}`).toString('base64')}`;
  const nonce = await fetch(`${base}/v1/auth/nonce`, { headers: { authorization } });
  credentials = { authorization, 'x-host-nonce': ((await nonce.json()) as { nonce: string }).nonce };
  document = (await (await fetch(`${base}/v1/openapi.json`)).json()) as Document;
  ajv = addFormats(new Ajv({ strict: false }));
  ajv.addSchema({ $id: 'openapi', ...document });
}, 60_000);
afterAll(async () => {
  await product.stop();
  rmSync(dir, { recursive: true, force: true });
});

const validators = new Map<string, ValidateFunction>();

/** What is wrong with an answer; undefined when it is one that the document describes. */
async function complaint(
  method: string,
  path: string,
  operation: Operation,
  request: FuzzRequest,
): Promise<string | undefined> {
  const answer = await ask(method, request);
  const { status } = answer;
  if (status === 304 && operation.responses[304] && request.headers['if-none-match'] !== undefined) return undefined;
  const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  if (type !== 'application/json') {
    await answer.body?.cancel();
    return status === 200 && operation.responses[200]?.content?.[type] ? undefined : `${status} ${type}`;
  }
  const text = await answer.text();
  const body = JSON.parse(text) as { code?: string };
  if (status >= 500) return `${status} ${text}`;
  if (request.who !== 'administrator' && operation.security.length > 0) {
    return status === 401 || status === 429 ? undefined : `${status} for ${request.who}: ${text}`;
  }
  if (status === 404 && body.code === 'rest_no_route') return undefined;
  if (!operation.responses[status]) return `${status} is not documented: ${text}`;
  const place = `openapi#/paths/${pointer(path)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
  const fits = validators.get(place) ?? ajv.compile({ $ref: place });
  validators.set(place, fits);
  return fits(body) ? undefined : `${status} ${ajv.errorsText(fits.errors)}: ${text.slice(0, 500)}`;
}

const pointer = (path: string): string => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));

function ask(method: string, { path, who, headers, body }: FuzzRequest): Promise<Response> {
  const stranger = { authorization: `Basic ${Buffer.from('admin:not the password').toString('base64')}` };
  const proof = who === 'administrator' ? credentials : who === 'stranger' ? stranger : {};
  const init = { method, headers: { ...headers, ...proof }, ...(body !== undefined && method !== 'GET' && { body }) };
  return fetch(`${base}${path}`, { ...init, redirect: 'manual', signal: AbortSignal.timeout(20_000) });
}

/** Sends the requests, a few at a time, and gives what was wrong, the request with it. */
async function complaints(method: string, path: string, operation: Operation, count: number): Promise<string[]> {
  const queue = fc.sample(requestsOf(path, operation, document), { seed, numRuns: count });
  const found: string[] = [];
  const worker = async () => {
    for (let request = queue.pop(); request; request = queue.pop()) {
      const wrong = await complaint(method, path, operation, request).catch((error: unknown) => String(error));
      if (wrong !== undefined) found.push(`${method} ${JSON.stringify(request).slice(0, 700)} -> ${wrong}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return found;
}

test(`${requests} requests made from the document: no 5xx, every answer as documented, nobody gets in without proof`, async () => {
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const each = Math.ceil(requests / operations.length);
  const found: string[] = [];
  for (const { method, path, operation } of operations)
    found.push(...(await complaints(method, path, operation, each)));
  expect(found.slice(0, 20)).toEqual([]);
}, 1_200_000);

test('a method that a path does not have is 405 with the methods that it has', async () => {
  for (const [path, byMethod] of Object.entries(document.paths)) {
    const has = Object.keys(byMethod).map((method) => method.toUpperCase());
    const concrete = path.replaceAll(/\{\w+\}/g, '1');
    for (const method of methods.filter((method) => !has.includes(method))) {
      const answer = await fetch(`${base}${concrete}`, { method, headers: credentials });
      expect([method, path, answer.status]).toEqual([method, path, 405]);
      expect(
        answer.headers
          .get('allow')
          ?.split(', ')
          .filter((allowed) => allowed !== 'HEAD'),
      ).toEqual(has.sort());
      await answer.body?.cancel();
    }
  }
});
