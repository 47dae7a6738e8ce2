import type { RequestInput, RuleData, Simulation } from '@order-automation/contracts';
import { describeLanes, type Lane, waitFor } from '@order-automation/testing';
import fc from 'fast-check';
import { anyChoice, anyTrigger } from '../../../shared/engine/test/arbitrary';
import { startWhatIfWorld, type WhatIfWorld } from './what-if-world';

/** Triples of rule, order and event; `WHAT_IF_TRIPLES=1000` for the whole of it. */
const triplesOf = (lane: Lane) => Number(process.env.WHAT_IF_TRIPLES ?? (lane.name === 'embedded' ? 60 : 16));

const noted = { id: 'add_order_note', settings: { note_text: 'Seen' } };
const completing = { id: 'change_status_to_completed', settings: { send_emails: false, update_stock: false } };
const events = [
  ['gateway_card', 'payment_intent_succeeded'],
  ['gateway_card', 'charge_failed'],
  ['gateway_card', 'charge_dispute_created'],
  ['gateway_wallet', 'payment_completed'],
  ['gateway_wallet', 'payment_refunded'],
  ['generic', 'payment_completed'],
  ['generic', 'order_created'],
] as const;

const anyRule: fc.Arbitrary<RuleData> = fc
  .record({ trigger: anyTrigger, conditions: fc.array(anyChoice, { maxLength: 2 }) })
  .map((data) => ({ ...data, primaryAction: null, secondaryActions: [noted] }));
const anyOrder = fc.record({
  status: fc.constantFrom('pending', 'processing', 'on-hold', 'completed', 'failed'),
  total: fc.constantFrom('0.00', '49.00', '120.50', '999.99'),
  payment_method: fc.constantFrom('', 'gateway_card', 'bacs'),
  billing: fc.record({ country: fc.constantFrom('', 'DE', 'FR') }),
  line_items: fc.array(
    fc.record({ product_id: fc.integer({ min: 1, max: 4 }), quantity: fc.integer({ min: 1, max: 3 }) }),
    {
      maxLength: 3,
    },
  ),
  meta_data: fc.constantFrom([], [{ key: 'gift', value: 'yes' }]),
});

describeLanes('what would happen', (lane) => {
  let world: WhatIfWorld;

  beforeAll(async () => {
    world = await startWhatIfWorld(lane);
  }, 120_000);
  afterAll(() => world.close());

  const simulate = async (order_id: number, gateway: string, event_type: string): Promise<Simulation> =>
    (await world.ask('debug.order.simulate.v1', { order_id, gateway, event_type, edition: 'extended' })).data;

  /** Everything that was asked by debugging, and by those whom it asked, was a question. */
  const reads =
    / asks \S+\.(get|resolve|facts|preview|draft|simulate|records|disabled-listeners|active-versions)\.v\d$/;

  test('every event of every gateway can be simulated, and nothing is written or sent', async () => {
    await world.createRule('Finish', {
      trigger: { id: 'payment_complete', settings: {} },
      conditions: [{ id: 'payment_method', settings: { methods: ['bacs'] } }],
      primaryAction: completing,
      secondaryActions: [noted, { id: 'send_webhook', settings: { url: 'https://10.0.0.1/hook' } }],
    });
    await world.createRule('Thank', {
      trigger: { id: 'order_completed', settings: {} },
      conditions: [],
      primaryAction: null,
      secondaryActions: [{ id: 'add_order_tag', settings: { tag: 'thanked' } }],
    });
    await world.saveOrder(1, { payment_method: 'bacs' });
    await world.saveOrder(2, { payment_method: 'cod' });
    const { gateways } = await world.ask('intake.gateway.list.v1', {});
    const ids = gateways.flatMap(({ name, event_types }) => event_types.map(({ id }) => [name, id] as const));
    expect(ids.length).toBeGreaterThanOrEqual(102);
    const before = await world.documents();
    world.subjects();
    for (const [gateway, id] of lane.name === 'embedded' ? ids : ids.slice(0, 5)) {
      const { entries } = await simulate(1, gateway, id);
      expect(entries.length).toBeGreaterThan(1);
    }
    expect(world.subjects().filter((subject) => !reads.test(subject))).toEqual([]);
    expect(await world.documents()).toEqual(before);
  }, 180_000);

  test('what is simulated is what then happens', async () => {
    const imagined = await simulate(1, 'gateway_card', 'payment_intent.succeeded');
    expect((await simulate(2, 'gateway_card', 'payment_intent.succeeded')).outcome).toBe('no_match');
    expect(imagined.effects.map(({ status, target }) => [status, target])).toEqual([
      ['applied', null],
      ['applied', null],
      ['queued', 'https://10.0.0.1/hook'],
      ['applied', null],
    ]);
    const process_id = await world.happen(1, 'gateway_card', 'payment_intent.succeeded');
    const orderNow = async () => (await world.ask('shop.order.get.v1', { ids: [1] })).orders[0]?.order;
    await waitFor(async () => (await orderNow())?.tags?.includes('thanked'), { timeout: 30_000 });
    expect((await orderNow())?.status).toBe('completed');
    const texts = (entries: readonly { event_type: string; summary: string }[]) =>
      entries
        .filter(({ event_type }) => event_type !== 'webhook_received')
        .map(({ event_type, summary }) => `${event_type}: ${summary}`);
    await waitFor(async () => (await world.entriesOf(process_id)).length >= imagined.entries.length, {
      timeout: 30_000,
    });
    expect(texts(await world.entriesOf(process_id))).toEqual(expect.arrayContaining(texts(imagined.entries)));
    const again = await simulate(1, 'gateway_card', 'payment_intent.succeeded');
    expect(again.entries.map(({ event_type }) => event_type)).toContain('late_payment');
    expect(again.effects[0]).toMatchObject({ kind: 'order', status: 'unchanged' });
  }, 120_000);

  test('without a licence nothing is simulated, and an unknown order, gateway or event is named', async () => {
    const asked = {
      order_id: 1,
      gateway: 'gateway_card',
      event_type: 'charge.succeeded',
      edition: 'extended',
    } as const;
    const refused = (over: Partial<RequestInput<'debug.order.simulate.v1'>>) =>
      world.ask('debug.order.simulate.v1', { ...asked, ...over }).catch((error: unknown) => error);
    const violations = [expect.objectContaining({ path: 'debug-rule' })];
    expect(await refused({ edition: 'default' })).toMatchObject({ status: 403, data: { violations } });
    expect(await refused({ order_id: 77 })).toMatchObject({ status: 404, code: 'svc_order_not_found' });
    expect(await refused({ gateway: 'nobody' })).toMatchObject({ status: 404, code: 'svc_gateway_not_found' });
    expect(await refused({ event_type: 'charge.succeded' })).toMatchObject({ status: 400, code: 'rest_invalid_param' });
  });

  test('of random rules, orders and events the test says what production then does', async () => {
    const triples = triplesOf(lane);
    const rulesAtOnce = Math.min(20, triples / 2);
    const rules = fc.sample(anyRule, { numRuns: rulesAtOnce, seed: 7 });
    const saved = [];
    for (const [index, rule] of rules.entries()) saved.push(await world.createRule(`Random ${index}`, rule));
    const orders = fc.sample(anyOrder, { numRuns: Math.ceil(triples / rulesAtOnce), seed: 11 });
    for (const [index, fields] of orders.entries()) {
      const order = 1_000 + index;
      const [gateway, event_type] = events[index % events.length] ?? events[0];
      await world.saveOrder(order, { ...fields, transaction_id: `pi_${order}` });
      const told = new Map<number, boolean>();
      for (const { id } of saved) {
        const input = { order_id: order, rule_id: id, gateway, event_type, edition: 'extended' } as const;
        told.set(id, (await world.ask('debug.rule.test.v1', input)).data.matched);
      }
      const entries = await world.entriesOf(await world.happen(order, gateway, event_type));
      const ran = entries.filter(({ event_type: type, status }) => type === 'rule_evaluation' && status === 'success');
      const matched = new Set(ran.map(({ rule_id }) => rule_id));
      expect({
        order,
        gateway,
        event_type,
        fields,
        matched: saved.filter(({ id }) => matched.has(id)).map(({ id }) => id),
      }).toEqual({
        order,
        gateway,
        event_type,
        fields,
        matched: saved.filter(({ id }) => told.get(id)).map(({ id }) => id),
      });
    }
  }, 900_000);
});
