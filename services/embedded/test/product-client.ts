import { randomBytes } from 'node:crypto';

/** What an administrator's script does to a running product: REST with an application password. */

export type Client = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<T>;

/** The credentials and secrets a product is started with, made anew for each. */
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

/** A client of the product at that port. Rejects with status and body of every answer that is not 2xx. */
export function apiClient(port: number, { applicationPassword }: Secrets): Client {
  const authorization = `Basic ${Buffer.from(`admin:${applicationPassword}`).toString('base64')}`;
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  };
}

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

/** Puts the orders into the shop, in parts that one request may carry. */
export async function importOrders(client: Client, orders: readonly Record<string, unknown>[]): Promise<void> {
  for (let start = 0; start < orders.length; start += 200) {
    await client('POST', '/v1/shop/import', { orders: orders.slice(start, start + 200), products: [] });
  }
}
