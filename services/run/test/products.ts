import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropNamespace, lanes } from '@order-automation/testing';
import { amount, cardPayment, cardSignature } from './card-webhook';
import { type Product, startDistributed, startEmbedded } from './product';
import { apiClient, type Client, newSecrets, type Secrets } from './product-client';

/** A product of this test alone: its own data, its own secrets, free ports. */
export type Running = {
  readonly mode: 'embedded' | 'distributed';
  readonly product: Product;
  readonly secrets: Secrets;
  readonly url: string;
  readonly client: Client;
  readonly env: Readonly<Record<string, string>>;
  /** Where its logs go. */
  readonly logFile: string;
  stop(): Promise<void>;
};

/** The body of the answer to a webhook (section 4.3 of the specification). */
export type Answer = {
  readonly success: boolean;
  readonly message: string;
  readonly process_id: string;
  readonly events_processed?: number;
  readonly duplicate?: boolean;
  readonly execution_time?: string;
};

export type Entry = {
  readonly id: number;
  readonly status: string;
  readonly event_type: string;
  readonly summary: string;
  readonly order_id: number | null;
  readonly rule_id: number | null;
  readonly process_id: string;
  readonly details: Record<string, unknown>;
};

type Start = (env?: Readonly<Record<string, string>>) => Promise<Running>;

/** The same stories on the embedded process and on the distributed mode, with one worker; the second is skipped, visibly, without its servers. */
export function describeProducts(name: string, suite: (start: Start, mode: Running['mode']) => void): void {
  describe(`${name} (embedded)`, () => suite(startAlone, 'embedded'));
  const { nats, mongodb } = lanes();
  const missing = [nats, mongodb].flatMap((server) => ('missing' in server ? [server.missing] : []));
  if (missing.length > 0)
    describe.skip(`${name} (distributed: ${missing.join(', ')})`, () => suite(startAlone, 'distributed'));
  else describe(`${name} (distributed)`, () => suite(startTogether, 'distributed'));
}

/** One process with everything. */
export async function startAlone(env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const dir = mkdtempSync(join(tmpdir(), 'order-automation-e2e-'));
  return start('embedded', { DATA_DIR: join(dir, 'data'), ...env }, dir, async () => undefined);
}

async function startTogether(env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const dir = mkdtempSync(join(tmpdir(), 'order-automation-e2e-'));
  const { nats, mongodb } = lanes();
  if (!('uri' in nats) || !('uri' in mongodb)) throw new Error('no servers');
  const namespace = `e2e_${randomBytes(5).toString('hex')}`;
  const own = {
    NATS_URL: nats.uri,
    // Reserved for each of many installations on one server.
    NATS_STREAM_BYTES: '16MiB',
    MONGODB_URI: mongodb.uri,
    NAMESPACE: namespace,
    LICENCE_KEY: 'demo',
    DEMO_SHOP: 'true',
  };
  return start('distributed', { ...own, ...env }, dir, () => dropNamespace(namespace));
}

async function start(
  mode: Running['mode'],
  given: Readonly<Record<string, string>>,
  dir: string,
  cleanUp: () => Promise<void>,
): Promise<Running> {
  const secrets = newSecrets();
  const env = { ...secrets.env, PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'debug', ...given };
  const logFile = join(dir, 'product.log');
  const options = { env, log: openSync(logFile, 'a') };
  const product = await (mode === 'embedded' ? startEmbedded(options) : startDistributed(options));
  return {
    mode,
    product,
    secrets,
    url: `http://127.0.0.1:${product.port}`,
    client: apiClient(product.port, secrets),
    env,
    logFile,
    stop: async () => {
      await product.stop();
      await cleanUp();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type Webhook = {
  readonly gateway?: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Posts a webhook as it stands. */
export async function post(
  url: string,
  { gateway = 'gateway_card', body, headers = {} }: Webhook,
): Promise<{ status: number; answer: Answer }> {
  const response = await fetch(`${url}/v1/webhooks/${gateway}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body as NonNullable<RequestInit['body']>,
  });
  return { status: response.status, answer: (await response.json()) as Answer };
}

/** Signs a card webhook now, or at another time (seconds since the epoch). */
export async function postSigned(
  running: Pick<Running, 'url' | 'secrets'>,
  body: string | Uint8Array,
  at = Math.floor(Date.now() / 1000),
): Promise<Answer> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const signature = cardSignature(running.secrets.cardSecret, bytes, at);
  const { status, answer } = await post(running.url, { body: bytes, headers: { 'card-signature': signature } });
  expect(status).toBe(200);
  return answer;
}

/** A succeeded payment of 49.00 USD for an order. */
export function payment(key: string, orderId: number): Buffer {
  return cardPayment({ key, orderId, created: Math.floor(Date.now() / 1000) }).body;
}

/** The entries of a process once it has come to its end. */
export async function processLog({ client }: Running, processId: string): Promise<Entry[]> {
  const { logs } = await client<{ logs: Entry[] }>('GET', `/v1/audit-log/process/${processId}`);
  return logs;
}

export { amount };
