import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@order-automation/testing';
import { importOrders, payableOrders } from './product-client';
import { payment, postSigned, processLog, type Running, startAlone } from './products';

type Licence = { active: boolean; edition: string; message: string };

// In one composition: it takes real time, and the licence is the edge's alone, whose suite runs with a clock in both.
describe('a licence that expires', () => {
  const folder = mkdtempSync(join(tmpdir(), 'licence-'));
  let running: Running;
  afterAll(async () => {
    await running?.stop();
    rmSync(folder, { recursive: true });
  }, 60_000);

  test('rules of the extended edition keep running; saving another is refused and says when it expired', async () => {
    const script = join(__dirname, '../../../deploy/licence.mjs');
    const tool = (...args: readonly string[]) =>
      execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    tool('new-key', folder);
    const refusalOf = (...args: readonly string[]) => {
      const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
      return `${status}: ${stderr.replaceAll(folder, '').trim()}`;
    };
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return refusalOf('issue', '--licensee', 'Acme', '--key', join(folder, name));
    };
    const use = 'Use the licence-private-key.json that new-key has made.';
    expect([
      refusalOf('new-key', folder),
      refusalOf('issue', '--licensee', 'Acme', '--key', join(folder, 'lost.json')),
      file('text.json', 'no JSON'),
      file('other.json', '{"kty":"EC","kid":"a"}'),
      file('public.json', readFileSync(join(folder, 'licence-keys.json'), 'utf8')),
      refusalOf('issue', '--licencee', 'Acme').split('\n')[0],
    ]).toEqual([
      '1: /licence-private-key.json is there already: remove it first, or choose another directory.',
      '1: /lost.json is not there.',
      `1: /text.json is not a private key. ${use}`,
      `1: /other.json is not a private key. ${use}`,
      `1: /public.json has the public keys, which sign nothing. ${use}`,
      "1: Unknown option '--licencee'.",
    ]);
    const exp = Math.floor(Date.now() / 1000) + 20;
    const key = join(folder, 'licence-private-key.json');
    const expires = new Date(exp * 1000).toISOString();
    const LICENCE_KEY = tool('issue', '--key', key, '--licensee', 'Acme Ltd', '--expires', expires).trim();
    const LICENCE_PUBLIC_KEYS = readFileSync(join(folder, 'licence-keys.json'), 'utf8');
    running = await startAlone({ DEMO_SHOP: 'false', LICENCE_KEY, LICENCE_PUBLIC_KEYS });
    const { client } = running;
    await importOrders(client, payableOrders(7001, 2));
    const tagging = {
      name: 'Tag it',
      enabled: true,
      rule: {
        trigger: { id: 'payment_complete', settings: {} },
        conditions: [],
        primaryAction: null,
        secondaryActions: [{ id: 'add_order_tag', settings: { tag: 'paid' } }],
      },
    };
    await client('POST', '/v1/rules', tagging);

    await waitFor(async () => !(await client<Licence>('GET', '/pro/v1/licence')).active, { timeout: 60_000 });
    const { edition, message } = await client<Licence>('GET', '/pro/v1/licence');
    const expired = `expired on ${expires}`;
    expect([edition, message]).toEqual(['default', expect.stringContaining(expired)]);
    const refusal = await client('POST', '/v1/rules', { ...tagging, name: 'Another' }).catch(String);
    expect(refusal).toContain('svc_licence_required');
    expect(refusal).toContain(expired);
    // The gateways that are built in are set up in both editions.
    const { presets } = await client<{ presets: { id: string }[] }>('GET', '/v1/webhooks/presets');
    expect(presets.map(({ id }) => id)).toEqual(['paypal', 'stripe', 'woocommerce']);

    const { process_id } = await postSigned(running, payment('afterexpiry', 7001));
    await waitFor(
      async () => (await processLog(running, process_id)).some(({ event_type }) => event_type === 'process_completed'),
      { timeout: 30_000 },
    );
    const { tags } = await client<{ tags: string[] }>('GET', '/v1/shop/orders/7001');
    expect(tags).toContain('paid');
  }, 180_000);
});
