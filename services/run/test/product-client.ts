import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** What an administrator's script does to a running product: REST with an application password. */

export type Client = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<T>;

/** The credentials and secrets a product is started with, generated for each. */
export type Secrets = {
  readonly applicationPassword: string;
  readonly cardSecret: string;
  readonly env: Record<string, string>;
};

export function newSecrets(): Secrets {
  const applicationPassword = randomBytes(12).toString('hex');
  const cardSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const env = {
    ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    ADMIN_APPLICATION_PASSWORD: applicationPassword,
    GATEWAY_CARD_SECRETS: cardSecret,
    // What the tests send is from the gateway's test mode.
    GATEWAY_CARD_MODE: 'any',
    SECRET_KEY: randomBytes(32).toString('base64'),
  };
  return { applicationPassword, cardSecret, env };
}

const ndjson = 'application/x-ndjson';

/** Milliseconds for which a request is sent again that was answered 503, "please try again": on a busy machine a service may be that slow. */
const retryFor = 30_000;

/**
 * A client of the product at that port; text is sent as NDJSON, and NDJSON comes as an array of its lines. Rejects with status and body of every answer that is not 2xx; a 503 is taken at its word
 * where sending the request twice does what sending it once does.
 */
export function apiClient(port: number, { applicationPassword }: Secrets): Client {
  const authorization = `Basic ${Buffer.from(`admin:${applicationPassword}`).toString('base64')}`;
  const client = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const send = () =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          authorization,
          ...(body === undefined ? {} : { 'content-type': typeof body === 'string' ? ndjson : 'application/json' }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    let answer = await send();
    const isAgain = isRetried(method, answer);
    for (const since = Date.now(); isRetried(method, answer) && Date.now() - since < retryFor; answer = await send()) {
      await answer.body?.cancel();
      await delay(500);
    }
    const text = await answer.text();
    if (method === 'POST' && path === '/v1/rules' && answer.status === 503) {
      // It may have been saved: looks before it asks again.
      const { name } = body as { name: string };
      await delay(3_000);
      const found = await client<{ rules: { id: number; name: string }[] }>('GET', '/v1/rules?per_page=100');
      const rule = found.rules.find((one) => one.name === name);
      return rule ? ({ rule_id: rule.id, rule } as T) : client(method, path, body);
    }
    // What was deleted by a request that took too long is gone.
    if (isAgain && method === 'DELETE' && answer.status === 404) return undefined as T;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    const lines = text.trimEnd().split('\n');
    if (method === 'GET' && answer.headers.get('content-type')?.startsWith(ndjson))
      return (text === '' ? [] : lines.map((line) => JSON.parse(line))) as T;
    return JSON.parse((typeof body === 'string' ? lines.at(-1) : text) ?? '') as T;
  };
  return client;
}

const isRetried = (method: string, { status }: Response): boolean => status === 503 && method !== 'POST';

/** Orders that the card webhooks of these programs pay for. */
export function payableOrders(firstId: number, count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => ({
    id: firstId + index,
    number: String(firstId + index),
    status: 'pending',
    currency: 'USD',
    total: '49.00',
    date_created: '2026-01-01T00:00:00Z',
    date_modified: '2026-01-01T00:00:00Z',
    payment_method: 'card',
    billing: { first_name: 'Ada', last_name: 'Example', email: 'ada@customer.example', country: 'US' },
    shipping: { first_name: 'Ada', last_name: 'Example', country: 'US' },
    line_items: [{ id: 1, name: 'A thing', product_id: 1, quantity: 1, total: '49.00' }],
  }));
}

/** Imports records of a type; rejects when one is refused. */
export async function importRecords(client: Client, type: string, records: readonly object[]): Promise<void> {
  const lines = records.map((data) => `${JSON.stringify({ type, data })}\n`);
  const end = await client<{ done: boolean; imported: number }>('POST', '/v1/shop/import', lines.join(''));
  if (!end.done || end.imported !== records.length) throw new Error(`not all was imported: ${JSON.stringify(end)}`);
}

export const importOrders = (client: Client, orders: readonly Record<string, unknown>[]): Promise<void> =>
  importRecords(client, 'order', orders);

/** A rule that completes each paid order and notes `paid`. */
export async function completePaidOrders(client: Client): Promise<void> {
  await client('POST', '/v1/rules', {
    name: 'Complete paid orders',
    enabled: true,
    rule: {
      trigger: { id: 'payment_complete', settings: {} },
      conditions: [],
      primaryAction: { id: 'change_status_to_completed', settings: {} },
      secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'paid' } }],
    },
  });
}
