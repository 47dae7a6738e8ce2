import { issueLicence, newLicenceKey } from '@order-automation/api-gateway';
import { waitFor } from '@order-automation/testing';
import { importOrders, payableOrders } from './product-client';
import { payment, postSigned, processLog, type Running, startAlone } from './products';

type Licence = { active: boolean; edition: string; message: string };

// In one composition: it takes real time, and the licence is the edge's alone, whose suite runs with a clock in both.
describe('a licence that expires', () => {
  let running: Running;
  afterAll(() => running?.stop(), 60_000);

  test('rules of the extended edition keep running; saving another is refused and says when it expired', async () => {
    const { privateKey, publicKeys } = await newLicenceKey();
    const exp = Math.floor(Date.now() / 1000) + 20;
    const claims = { edition: 'extended' as const, features: ['rule_debugging'], licensee: 'Acme Ltd', exp };
    const LICENCE_KEY = await issueLicence(privateKey, claims);
    running = await startAlone({ DEMO_SHOP: 'false', LICENCE_KEY, LICENCE_PUBLIC_KEYS: JSON.stringify(publicKeys) });
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
    const expired = `expired on ${new Date(exp * 1000).toISOString()}`;
    expect([edition, message]).toEqual(['default', expect.stringContaining(expired)]);
    const refusal = await client('POST', '/v1/rules', { ...tagging, name: 'Another' }).catch(String);
    expect(refusal).toContain('svc_licence_required');
    expect(refusal).toContain(expired);

    const { process_id } = await postSigned(running, payment('afterexpiry', 7001));
    await waitFor(
      async () => (await processLog(running, process_id)).some(({ event_type }) => event_type === 'process_completed'),
      { timeout: 30_000 },
    );
    const { tags } = await client<{ tags: string[] }>('GET', '/v1/shop/orders/7001');
    expect(tags).toContain('paid');
  }, 180_000);
});
