import type { Backtest, RequestInput, RuleData, RuleRecord, Simulation } from '@order-automation/contracts';
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
  ['generic', 'order_completed'],
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
    { maxLength: 3 },
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
      const logged = new Map<number, boolean>();
      for (const { id } of saved) {
        const input = { order_id: order, rule_id: id, gateway, event_type, edition: 'extended' } as const;
        logged.set(id, (await world.ask('debug.rule.test.v1', input)).data.matched);
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
        matched: saved.filter(({ id }) => logged.get(id)).map(({ id }) => id),
      });
    }
  }, 900_000);

  describe('past events', () => {
    const rule = (amount: number): RuleData => ({
      trigger: { id: 'payment_complete', settings: {} },
      conditions: [{ id: 'order_total', settings: { operator: 'gte', amount } }],
      primaryAction: completing,
      secondaryActions: [],
    });
    const backtest = async (input: Partial<RequestInput<'debug.backtest.start.v1'>>): Promise<Backtest> => {
      const { job } = await world.ask('debug.backtest.start.v1', { edition: 'extended', ...input });
      let found = job;
      await waitFor(
        async () => {
          found = (await world.ask('debug.backtest.get.v1', { id: job.id, edition: 'extended' })).job;
          return found.state !== 'running';
        },
        { timeout: 60_000, every: 100 },
      );
      return found;
    };
    let saved: RuleRecord;
    let from: string;

    beforeAll(async () => {
      world.clock.advance(60_000);
      from = new Date(world.clock.now()).toISOString();
      saved = await world.createRule('Large ones', rule(100));
      for (const [id, total, currency] of [
        [2_001, '99.10', 'EUR'],
        [2_002, '100.20', 'EUR'],
        [2_003, '250.000', 'KWD'],
        [2_004, '10.00', 'EUR'],
      ] as const) {
        await world.saveOrder(id, { total, currency, billing: { email: 'ada@example.com', first_name: 'Ada' } });
        await world.happen(id, 'gateway_card', 'payment_intent.succeeded');
      }
      // What becomes of the orders and the rule later does not matter.
      for (const id of [2_001, 2_002, 2_003, 2_004]) await world.saveOrder(id, { status: 'cancelled', total: '5.00' });
    }, 120_000);

    test('a changed rule beside the saved one, by the orders as they were then', async () => {
      const found = await backtest({ rule_id: saved.id, rule_data: rule(50), from });
      expect(found).toMatchObject({
        state: 'done',
        rule: { rule_id: saved.id, version: null },
        compared_with: { rule_id: saved.id, version: 1 },
        total: found.looked,
        result: {
          matching: { events: 3 },
          saved_matching: { events: 2 },
          newly_matching: {
            events: 1,
            orders: 1,
            value: [{ currency: 'EUR', total: '99.10' }],
            actions: [{ id: 'change_status_to_completed', events: 1 }],
            samples: [{ order_id: 2_001, total: '99.10', gateway: 'gateway_card' }],
          },
          no_longer_matching: { events: 0 },
          unchanged: { matching: 2 },
          unknown: 0,
        },
      });
    }, 120_000);

    test('a version says what production has done; nothing is written but the job', async () => {
      await world.changeRule(saved.id, { rule: rule(200) });
      const before = lane.name === 'embedded' ? await world.documents() : null;
      world.subjects();
      const { result } = await backtest({ rule_id: saved.id, version: 1, last: 50 });
      expect(result.saved_matching).toMatchObject({ events: 1, value: [{ currency: 'KWD', total: '250.000' }] });
      expect(result.newly_matching).toMatchObject({ events: 1, value: [{ currency: 'EUR', total: '100.20' }] });
      expect(result.matching.samples.map(({ order_id }) => order_id)).toEqual([2_003, 2_002]);
      const asked = world.subjects().filter((subject) => !subject.includes('.active-versions.'));
      expect([...new Set(asked)].filter((subject) => !/ asks \S+\.(judge|records|get)\.v\d$/.test(subject))).toEqual(
        [],
      );
      if (before) expect(await world.documents()).toEqual(before);
    }, 120_000);

    test('a rule is tried on the order as an earlier rule of the same event left it, as production has done', async () => {
      world.clock.advance(60_000);
      const since = new Date(world.clock.now()).toISOString();
      const entering = { trigger: { id: 'order_processing', settings: {} }, conditions: [], secondaryActions: [] };
      const first = await world.createRule('Complete it', { ...entering, primaryAction: completing });
      const second = await world.createRule('Tag it', {
        ...entering,
        conditions: [{ id: 'order_status', settings: { statuses: ['completed'] } }],
        primaryAction: null,
        secondaryActions: [{ id: 'add_order_tag', settings: { tag: 'done' } }],
      });
      await world.saveOrder(2_010, { total: '1.00' });
      const process_id = await world.happen(2_010, 'gateway_card', 'payment_intent.succeeded');
      const entries = await world.entriesOf(process_id);
      const of = (id: number) =>
        entries.find(({ event_type, rule_id }) => event_type === 'rule_evaluation' && rule_id === id);
      expect([of(first.id)?.status, of(second.id)?.status]).toEqual(['success', 'success']);
      for (const { id } of [first, second]) await world.changeRule(id, { enabled: false });
      const { result, looked } = await backtest({ rule_id: second.id, version: 1, from: since });
      expect(result.saved_matching).toMatchObject({ events: 1 });
      expect(result.matching).toMatchObject({ events: 1, samples: [{ order_id: 2_010 }] });
      const { matching, not_matching } = result.unchanged;
      expect(looked).toBe(matching + not_matching + result.unknown);
    }, 120_000);

    test('what is recorded names nobody, and is deleted with the log', async () => {
      const documents = (await world.written())['evaluation evaluations'] ?? [];
      expect(documents.filter((document) => /\bada\b|example\.com/i.test(document))).toEqual([]);
      const { job } = await world.ask('debug.backtest.start.v1', { edition: 'extended', rule_data: rule(1), last: 1 });
      expect(job).toMatchObject({ rule: { rule_id: null }, compared_with: null });
      const { result } = await backtest({ rule_data: rule(1), from });
      // The story of order 2010 is of two events: its change by the first rule is the second.
      const sample = result.matching.samples.find(({ order_id }) => order_id !== 2_010);
      const entries = await world.entriesOf(sample?.process_id ?? '');
      const log_ids = entries.map(({ id }) => id);
      await world.ask('audit.entry.delete.v1', { log_ids, user: 'admin', process_id: 'proc_deletion' } as never);
      const after = await backtest({ rule_data: rule(1), from });
      expect(after.result).toMatchObject({
        matching: { events: result.matching.events - 1 },
        unknown: result.unknown + 1,
      });
    }, 120_000);

    test('a back-test is cancelled, and refuses what it cannot try', async () => {
      const start = (input: Partial<RequestInput<'debug.backtest.start.v1'>>) =>
        world.ask('debug.backtest.start.v1', { edition: 'extended', ...input });
      const { job } = await start({ rule_data: rule(1), last: 100_000 });
      const { job: cancelled } = await world.ask('debug.backtest.cancel.v1', { id: job.id, edition: 'extended' });
      expect(['cancelled', 'done']).toContain(cancelled.state);
      const { jobs } = await world.ask('debug.backtest.list.v1', { edition: 'extended' });
      expect(jobs[0]).toEqual(cancelled);
      const isTested = async (data: RuleData) => (await world.ask('debug.rule.tested.v1', { rule: data })).tested;
      expect([await isTested(rule(50)), await isTested(rule(51))]).toEqual([true, false]);
      const refused = (input: Parameters<typeof start>[0]) => start(input).catch((error: unknown) => error);
      expect(await refused({ rule_id: 999 })).toMatchObject({ status: 404, code: 'svc_rule_not_found' });
      expect(await refused({ rule_id: saved.id, version: 9 })).toMatchObject({ code: 'svc_rule_version_not_found' });
      expect(await refused({ rule_data: { ...rule(1), conditions: [{ id: 'nothing', settings: {} }] } })).toMatchObject(
        { status: 400 },
      );
      expect(await refused({ rule_id: saved.id, last: 1, from })).toMatchObject({ status: 400 });
      expect(await refused({ rule_id: saved.id, edition: 'default' })).toMatchObject({ status: 403 });
      const unknown = world.ask('debug.backtest.get.v1', { id: 'bkt_none', edition: 'extended' });
      await expect(unknown).rejects.toMatchObject({ status: 404, code: 'svc_backtest_not_found' });
    }, 120_000);
  });

  test('where rules have to be tested, one that changes the status is enabled after a test of what it is now', async () => {
    const gated = await startWhatIfWorld(lane, { REQUIRE_RULE_TEST: 'true' });
    try {
      const rule = (amount: number): RuleData => ({
        trigger: { id: 'payment_complete', settings: {} },
        conditions: [{ id: 'order_total', settings: { operator: 'gte', amount } }],
        primaryAction: completing,
        secondaryActions: [],
      });
      const notTested = {
        status: 409,
        code: 'svc_rule_not_tested',
        message: expect.stringContaining('Test it on an order or on past events'),
      };
      await gated.createRule('Note', { ...rule(1), primaryAction: null, secondaryActions: [noted] });
      await expect(gated.createRule('Finish', rule(1))).rejects.toMatchObject({
        ...notTested,
        data: {
          calls: [
            { path: '/pro/v1/debug-rule/test', body: { rule_data: rule(1) } },
            { path: '/pro/v1/debug-rule/backtest' },
          ],
        },
      });
      const { id } = await gated.createRule('Finish', rule(1), { enabled: false });
      await expect(gated.changeRule(id, { enabled: true })).rejects.toMatchObject(notTested);
      await gated.saveOrder(1, {});
      await gated.ask('debug.rule.test.v1', { order_id: 1, rule_id: id, edition: 'extended' });
      await gated.changeRule(id, { enabled: true });
      await gated.changeRule(id, { name: 'Finish paid orders' });
      await expect(gated.changeRule(id, { rule: rule(2) })).rejects.toMatchObject(notTested);
      const { job } = await gated.ask('debug.backtest.start.v1', {
        rule_id: id,
        rule_data: rule(2),
        edition: 'extended',
      });
      await waitFor(
        async () =>
          (await gated.ask('debug.backtest.get.v1', { id: job.id, edition: 'extended' })).job.state === 'done',
        { timeout: 30_000 },
      );
      await gated.changeRule(id, { rule: rule(2) });
      const file = { version: 1, rules: [{ key: 'other', name: 'Other', enabled: true, rule: rule(3) }] };
      const imported = gated.ask('rules.import.v1', { file, mode: 'apply', edition: 'extended', actor: gated.actor });
      await expect(imported).rejects.toMatchObject(notTested);
    } finally {
      await gated.close();
    }
  }, 180_000);
});
