import { own } from './canaries';
import type { Running } from './products';

export type Ask = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly raw?: string | Buffer;
};

/** Asks a product as its administrator and as strangers do, and keeps what it answers. */
export type Caller = ReturnType<typeof callerOf>;

export function callerOf({ url, secrets, client }: Running) {
  /** Secrets that come into being while the test runs, by name. */
  const made: Record<string, string> = {};
  /** Everything that the product answered, but for what shows a new secret once. */
  const answers: string[] = [];
  const admin = { authorization: `Basic ${Buffer.from(`admin:${secrets.applicationPassword}`).toString('base64')}` };

  /** Sends a request and keeps its answer. */
  async function ask(method: string, path: string, { headers = {}, json, raw }: Ask = {}): Promise<Response> {
    const body = json === undefined ? raw : JSON.stringify(json);
    const type = json === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...type, ...headers },
      ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
    });
    const head = [...answer.headers].filter(([name]) => name !== 'set-cookie');
    answers.push(`${JSON.stringify(head)}\n${await answer.clone().text()}`);
    return answer;
  }

  /** Accounts and everything that makes a secret, which is shown once and never again. */
  async function makeSecrets(): Promise<void> {
    const login = await fetch(`${url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: secrets.env.ADMIN_PASSWORD }),
    });
    made.session = /=([^;]+)/.exec(login.headers.get('set-cookie') ?? '')?.[1] ?? '';
    made.nonce = ((await login.json()) as { nonce: string }).nonce;
    const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
    const bySession = async (method: string, path: string, body: unknown) => {
      const headers = { cookie, 'x-host-nonce': made.nonce ?? '', 'content-type': 'application/json' };
      const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
      const text = await answer.text();
      expect([path, answer.status, answer.ok || text]).toEqual([path, answer.status, true]);
      return JSON.parse(text) as Record<string, string>;
    };
    const user = await bySession('POST', '/v1/auth/users', {
      username: 'vera',
      role: 'shop_viewer',
      password: own.userPassword,
    });
    await bySession('PUT', `/v1/auth/users/${user.id}`, { password: own.newPassword });
    made.applicationPassword =
      (await bySession('POST', '/v1/auth/application-passwords', { name: 'ci' })).password ?? '';
    made.token = (await bySession('POST', '/v1/auth/token', { scope: 'read' })).access_token ?? '';
    await bySession('PUT', '/v1/secrets/given', { value: own.outboundSecret });
    made.outboundSecret = (await bySession('PUT', '/v1/secrets/made', {})).value ?? '';
    const connection = { name: 'erp', auth_method: 'bearer', secret: own.connectionSecret };
    await bySession('POST', '/v1/webhooks', connection);
    made.connectionSecret =
      (await bySession('POST', '/v1/webhooks', { name: 'made', auth_method: 'hmac' })).secret ?? '';
    const rotated = await bySession('POST', '/v1/webhooks/made/rotate-secret', { overlap_hours: 1 });
    made.rotatedSecret = rotated.secret ?? '';
    expect(Object.entries(made).filter(([, value]) => value.length < 16)).toEqual([]);
  }

  return { url, secrets, client, made, answers, admin, ask, makeSecrets };
}
