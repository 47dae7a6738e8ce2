import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@order-automation/testing';
import { cardSignature } from './card-webhook';
import { freePort, type Product, startEmbedded } from './product';
import { type Answer, payment, post, type Running, startAlone } from './products';

type Secret = { readonly id: string; readonly last4: string; readonly source: string; readonly until: string | null };
type Added = Secret & { readonly secret: string | null; readonly older: readonly Secret[] };
const secretsOf = '/v1/webhooks/gateways/gateway_card/secrets';

// In one composition: the secrets of two instances are compared in services/gateway-intake/test/rotation.int.test.ts.
describe('the card secret is rotated while webhooks arrive', () => {
  let running: Running;
  let product: Product;
  beforeAll(async () => {
    running = await startAlone({ PORT: String(await freePort()), LOG_LEVEL: 'warn' });
    product = running.product;
  }, 180_000);
  afterAll(async () => {
    await product.stop();
    await running.stop();
  }, 60_000);

  const killAndStart = async (): Promise<void> => {
    await product.kill();
    product = await startEmbedded({ env: running.env, log: 'ignore' });
  };
  const send = async (secret: string): Promise<Answer> => {
    const body = payment(randomUUID(), 1004);
    const signature = cardSignature(secret, body, Math.floor(Date.now() / 1000));
    return (await post(running.url, { body, headers: { 'card-signature': signature } })).answer;
  };
  /** Sends until it is stopped; resolves with how many were accepted and how many refused. */
  const traffic = (secretNow: () => string) => {
    const counts = { accepted: 0, refused: 0 };
    let isOver = false;
    const sending = (async () => {
      while (!isOver) counts[(await send(secretNow())).success ? 'accepted' : 'refused'] += 1;
    })();
    return async () => {
      isOver = true;
      await sending;
      return counts;
    };
  };
  const some = { accepted: expect.any(Number), refused: 0 };
  const takes = async (secret: string, times = 5): Promise<number> => {
    let accepted = 0;
    for (let sent = 0; sent < times; sent += 1) accepted += (await send(secret)).success ? 1 : 0;
    return accepted;
  };

  const refusals = async (): Promise<string[]> => {
    const path = '/v1/audit-log?view=flat&event_type=webhook_rejected&per_page=100';
    const { logs } = await running.client<{ logs: { summary: string }[] }>('GET', path);
    return logs.map(({ summary }) => summary);
  };

  test('none is refused in the overlap, none accepted after the end, also when the process is killed meanwhile', async () => {
    const { cardSecret: first } = running.secrets;
    let current = first;
    const stop = [traffic(() => first), traffic(() => current)];
    await takes(first);
    const second = await running.client<Added>('POST', secretsOf, { overlap_hours: 1, include_environment: true });
    expect(second.older).toMatchObject([{ source: 'environment', last4: first.slice(-4), until: expect.any(String) }]);
    current = second.secret ?? '';
    await takes(current);
    expect(await Promise.all(stop.map((end) => end()))).toEqual([some, some]);

    await killAndStart();
    expect([await takes(first), await takes(current)]).toEqual([5, 5]);

    const third = await running.client<Added>('POST', secretsOf, { overlap_hours: 0, include_environment: true });
    await killAndStart();
    expect([await takes(first), await takes(current), await takes(third.secret ?? '')]).toEqual([0, 0, 5]);
    const { secrets } = await running.client<{ secrets: Secret[] }>('GET', secretsOf);
    expect(secrets.map(({ id }) => id)).toEqual([third.id]);
    for (const last4 of [first.slice(-4), second.last4]) {
      const words = `signed with the secret …${last4} that ended on `;
      await waitFor(async () => (await refusals()).some((summary) => summary.includes(words)));
    }
  }, 400_000);

  test('an end that comes by itself is exact: what is signed with the old one after it is refused', async () => {
    const fourth = await running.client<Added>('POST', secretsOf, { overlap_hours: 1 });
    const fifth = await running.client<Added>('POST', secretsOf, { overlap_hours: 2 / 3600 });
    const old = fifth.older.find(({ id }) => id === fourth.id);
    await delay(Math.max(0, Date.parse(old?.until ?? '') - Date.now()) + 50);
    expect([await takes(fourth.secret ?? ''), await takes(fifth.secret ?? '')]).toEqual([0, 5]);
  }, 60_000);
});
