import { waitFor } from '@order-automation/testing';
import { charge, intent } from './field/case';
import { cardEvent, type Senders, startSenders } from './field/senders';
import { importOrders, payableOrders } from './product-client';
import { describeProducts, type Entry, type Running } from './products';

jest.setTimeout(180_000);

type Findings = {
  total: number;
  findings: { order_id: number; law: string; text: string; cure: string }[];
  round: { began_at: string | null; ended_at: string | null };
};

describeProducts('orders and the money that was paid for them', (start) => {
  let running: Running;
  let senders: Senders;

  beforeAll(async () => {
    senders = await startSenders();
    running = await start({ ...senders.env, LICENCE_KEY: 'demo' });
    const { client } = running;
    const { rules } = await client<{ rules: { id: number }[] }>('GET', '/v1/rules?per_page=200');
    for (const { id } of rules) await client('DELETE', `/v1/rules/${id}`);
    const ship = { id: 'change_status_to_processing', settings: {} };
    for (const [name, trigger] of [
      ['Ship paid orders', { id: 'order_processing', settings: {} }],
      ['Ship early', { id: 'webhook_event', settings: { event_types: ['payment_pending'] } }],
    ])
      await client('POST', '/v1/rules', {
        name,
        enabled: true,
        rule: { trigger, conditions: [], primaryAction: ship, secondaryActions: [] },
      });
  }, 150_000);
  afterAll(async () => {
    senders?.stop();
    await running?.stop();
  }, 60_000);

  const orders = (...fields: ({ id: number } & Record<string, unknown>)[]) =>
    importOrders(
      running.client,
      fields.map((one) => ({ ...payableOrders(one.id, 1)[0], ...one })),
    );
  const card = (type: string, object: object) => senders.card(running, cardEvent(type, object));
  const lawsOf = async (id: number): Promise<string[]> => {
    const { findings } = await running.client<Findings>('GET', '/v1/money');
    return findings.filter(({ order_id }) => order_id === id).map(({ law }) => law);
  };
  const broken = (id: number, law: string) =>
    waitFor(async () => (await lawsOf(id)).includes(law), { timeout: 60_000, describe: `${law} of order ${id}` });

  test('what must never be is found within a minute, with its cure, and is over when it is', async () => {
    await orders({ id: 31_001 }, { id: 31_002 }, { id: 31_003 }, { id: 31_004 }, { id: 31_005 }, { id: 31_006 });
    const unsigned = { event: 'payment_completed', order_id: '31006', transaction_id: 'tx_31006', amount: '49.00' };
    await fetch(`${running.url}/v1/webhooks/generic`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(unsigned),
    });
    await card('payment_intent.succeeded', intent(31_001, 'pi_first_31001'));
    await card('payment_intent.succeeded', intent(31_001, 'pi_again_31001'));
    await card('payment_intent.requires_action', intent(31_002, 'pi_31002', { status: 'requires_action' }));
    await card('payment_intent.succeeded', intent(31_003, 'pi_31003'));
    const dispute = { id: 'dp_31003', object: 'dispute', amount: 4900, currency: 'usd', charge: 'ch_31003' };
    await card('charge.dispute.created', { ...dispute, payment_intent: 'pi_31003', metadata: {} });
    await card('charge.succeeded', charge(31_004, 'one', 4900));
    for (const name of ['re_1', 're_2'])
      await card('refund.created', {
        id: `${name}_31004`,
        object: 'refund',
        amount: 3000,
        currency: 'usd',
        payment_intent: 'pi_one_31004',
        status: 'succeeded',
        metadata: {},
      });
    await card('payment_intent.succeeded', intent(31_005, 'pi_31005'));

    await broken(31_001, 'paid_twice');
    await broken(31_002, 'completed_unproven');
    await broken(31_003, 'disputed_and_shipping');
    await broken(31_004, 'refunded_too_much');
    await broken(31_006, 'completed_unproven');
    expect(await lawsOf(31_005)).toEqual([]);
    const { money } = await running.client<{ money: Omit<Findings, 'round'> }>('GET', '/v1/overview');
    expect(money.total).toBe(5);
    expect(money.findings.map(({ text, cure }) => `${text} ${cure}`)).toContainEqual(
      'Order 31003 is disputed and still processing: it may be shipped. Put the order on hold until the dispute is over.',
    );

    await running.client('PUT', '/v1/shop/orders/31003', { status: 'on-hold' });
    await card('charge.dispute.closed', { ...dispute, payment_intent: 'pi_31003', status: 'won', metadata: {} });
    await waitFor(async () => (await lawsOf(31_003)).length === 0, {
      timeout: 60_000,
      describe: 'order 31003 is right',
    });
    const { logs } = await running.client<{ logs: Entry[] }>(
      'GET',
      '/v1/audit-log?view=flat&event_type=money_alarm,money_settled&order_id=31003',
    );
    expect(logs.map(({ event_type }) => event_type).sort()).toEqual(['money_alarm', 'money_settled']);
  });

  // docs/guide/money.md: "An alarm goes when the order is right: within a minute where somebody changed its status", "look at all orders now".
  test('what somebody has put right is over within a minute, and a round finds what else is over', async () => {
    const over = (id: number) =>
      waitFor(async () => (await lawsOf(id)).length === 0, { timeout: 60_000, describe: `order ${id} is right` });
    expect(await lawsOf(31_006)).toEqual(['completed_unproven']);
    await running.client('PUT', '/v1/shop/orders/31006', { status: 'on-hold' });
    await over(31_006);
    const failed = { id: 're_2_31004', object: 'refund', amount: 3000, currency: 'usd', status: 'failed' };
    await card('refund.failed', { ...failed, payment_intent: 'pi_one_31004', metadata: {} });
    expect(await lawsOf(31_004)).toEqual(['refunded_too_much']);
    expect(await running.client('POST', '/v1/money/check')).toEqual({ started: true });
    await over(31_004);
  });

  test('a round looks at all orders, and leaves what was found as it is', async () => {
    const before = await running.client<Findings>('GET', '/v1/money');
    expect(await running.client('POST', '/v1/money/check')).toEqual({ started: true });
    await waitFor(async () => (await running.client<Findings>('GET', '/v1/money')).round.ended_at !== null, {
      timeout: 60_000,
      describe: 'the end of the round',
    });
    const { findings, round } = await running.client<Findings>('GET', '/v1/money');
    expect(findings).toEqual(before.findings);
    // docs/guide/money.md: "about 100 a second", which is a page.
    expect(Date.parse(round.ended_at ?? '') - Date.parse(round.began_at ?? '')).toBeLessThan(4_000);
  });
});
