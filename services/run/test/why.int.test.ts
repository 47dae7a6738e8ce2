import { join } from 'node:path';
import { startAudit } from '@order-automation/audit';
import type { Bus } from '@order-automation/bus';
import {
  awaitingPayment,
  type EventReceived,
  message,
  newProcessId,
  type RequestInput,
  type RuleData,
  ServiceError,
  type StoredEvent,
  unavailable,
  type WhyOutcome,
} from '@order-automation/contracts';
import { startEvaluation } from '@order-automation/evaluation';
import { startProDebug } from '@order-automation/pro-debug';
import { startRules } from '@order-automation/rules';
import { createMetrics, type Service, secret } from '@order-automation/service';
import { startShop } from '@order-automation/shop';
import {
  buildAuditEntry,
  buildEvent,
  describeLanes,
  type Lane,
  type LaneDeps,
  settableClock,
  waitFor,
} from '@order-automation/testing';

/** How often each outcome is caused; 20 make 300 situations and more. */
const timesOn = (lane: Lane): number => Number(process.env.WHY_TIMES ?? (lane.name === 'embedded' ? 4 : 2));
/** Those that take several tries, less often. */
const slowly: ReadonlySet<WhyOutcome> = new Set<WhyOutcome>(['retrying', 'dead_letter', 'delivery_failed']);

const method = (name: string) => ({ id: 'payment_method', settings: { methods: [name] } });
const call = (url: string) => ({ id: 'send_webhook', settings: { url } });
const completing = { id: 'change_status_to_completed', settings: { send_emails: false, update_stock: false } };
const ruleOf = (over: Partial<RuleData>): RuleData => ({
  trigger: { id: 'payment_complete', settings: {} },
  conditions: [],
  primaryAction: null,
  secondaryActions: [],
  ...over,
});

/** Components that fail on purpose. */
const extensions = [join(__dirname, 'failing-components.mjs')];
/** Milliseconds for an answer: the machine may be busy. */
const slow = { timeout: 30_000 };

const enters = (from: string, to: string) => ({ id: 'any_status_change', settings: { from: [from], to: [to] } });
const setting = (status: string) => ({
  id: `change_status_to_${status.replace('-', '_')}`,
  settings: { send_emails: false, update_stock: false },
});
/** A chain in which each rule sets off the next, longer than chains may be. */
const chain = [
  { trigger: { id: 'payment_complete', settings: {} }, primaryAction: setting('on-hold') },
  { trigger: enters('pending', 'on-hold'), primaryAction: setting('processing') },
  { trigger: enters('on-hold', 'processing'), primaryAction: setting('cancelled') },
  { trigger: enters('processing', 'cancelled'), primaryAction: setting('on-hold') },
  { trigger: enters('cancelled', 'on-hold'), primaryAction: setting('completed') },
  { trigger: enters('on-hold', 'completed'), primaryAction: setting('cancelled') },
];

/** Causes one outcome for an order on purpose; resolves when the log has it. */
type Cause = (order: number) => Promise<void>;

describeLanes('why an order stands as it does, for every outcome caused on purpose', (lane) => {
  const clock = settableClock();
  const services: Service[] = [];
  const opened: LaneDeps[] = [];
  let stored: StoredEvent[] = [];
  let bus: Bus;
  let next = 5_000;
  const done = new Set<string>();
  /** Orders that the shop fails on, and how. */
  const failing = new Map<number, () => Error>();

  beforeAll(async () => {
    bus = await lane.bus('why');
    const depsOf = async (name: string) => {
      const deps = { ...(await lane.deps({ bus, database: name, clock })), metrics: createMetrics(name) };
      opened.push(deps);
      return deps;
    };
    const secretKey = secret([Buffer.alloc(32, 7)]);
    await bus.respond('intake.secret.list.v1', async () => ({ secrets: [] }));
    await bus.respond('intake.event.list.v1', async ({ filter }) => ({
      events: stored.filter(({ state }) => state === filter.state),
      pagination: {
        total: 0,
        total_pages: 0,
        current_page: 1,
        per_page: 1,
        start_item: 0,
        end_item: 0,
        has_previous: false,
        has_next: false,
      },
    }));
    await bus.subscribe('evaluation.events-done.v1', 'test', async (messages) => {
      for (const { event_id } of messages.flatMap(({ data }) => data.events)) done.add(event_id);
    });
    services.push(
      await startAudit(await depsOf('audit'), { secretKey, retention: 90 * 86_400_000 }),
      await startShop(await depsOf('shop'), { demoShop: false, timeZone: 'UTC' } as never),
      await startRules(await depsOf('rules'), { extensions }),
    );
    await createRules();
    const evaluation = {
      extensions,
      orderWait: 3_600_000,
      timeZone: 'UTC',
      awaitingPayment,
      giveUpAfter: 3_600_000,
      retention: 90 * 86_400_000,
      secretKey,
      outboundAllow: { hosts: ['127.0.0.1'], subnets: [] },
      smtpUrl: undefined,
      smtpFrom: undefined,
    };
    services.push(
      await startEvaluation({ ...(await depsOf('evaluation')), bus: failingBus() }, evaluation),
      await startProDebug(await depsOf('debug'), { extensions, timeZone: 'UTC', awaitingPayment }),
    );
  }, 120_000);
  afterAll(async () => {
    for (const service of services.reverse()) await service.close();
    for (const deps of opened) await deps.close();
    await bus.close();
  });

  /** The bus of evaluation, on which the shop fails on some orders. */
  const failingBus = (): Bus => ({
    ...bus,
    request: (type, input, options) => {
      const { references = [] } = input as Partial<RequestInput<'shop.order.resolve.v1'>>;
      const { steps = [] } = input as Partial<RequestInput<'shop.order.apply.v2'>>;
      for (const { order_id } of type === 'shop.order.apply.v2' ? steps : references) {
        const error = failing.get(Number(order_id));
        if (error && (type === 'shop.order.apply.v2') === error() instanceof ServiceError)
          return Promise.reject(error());
      }
      return bus.request(type, input, options);
    },
  });

  async function createRules(): Promise<void> {
    const rules = [
      { name: 'Finish', rule: ruleOf({ conditions: [method('finish')], primaryAction: completing }) },
      {
        name: 'Call nobody',
        rule: ruleOf({ conditions: [method('refused')], secondaryActions: [call('https://10.0.0.1/hook')] }),
      },
      {
        name: 'Call later',
        rule: ruleOf({ conditions: [method('down')], secondaryActions: [call('http://127.0.0.1:9/hook')] }),
      },
      {
        name: 'Break',
        rule: ruleOf({ conditions: [method('breaks'), { id: 'breaks', settings: {} }], primaryAction: completing }),
      },
      {
        name: 'Move nowhere',
        rule: ruleOf({ conditions: [method('nowhere')], secondaryActions: [{ id: 'move_nowhere', settings: {} }] }),
      },
      ...chain.map((link, index) => ({
        name: `Link ${index + 1}`,
        rule: ruleOf({ ...link, conditions: [method('chained')] }),
      })),
    ];
    const actor = { user: 'test', process_id: 'proc_setup', action: null, user_agent: null, page_url: null };
    for (const changes of rules)
      await bus.request(
        'rules.rule.create.v1',
        { changes: { ...changes, enabled: true }, edition: 'extended', actor },
        slow,
      );
  }

  const save = (id: number, fields: Record<string, unknown>) =>
    bus.request(
      'shop.order.save.v1',
      {
        id,
        fields: { status: 'pending', total: '49.00', currency: 'EUR', ...fields },
        cause: { process_id: 'proc_setup', depth: 0, author: 'admin' },
      },
      slow,
    );
  const send = async (
    order: number,
    over: Parameters<typeof buildEvent>[0] = {},
    waits = false,
    reference: Partial<EventReceived['event']['orderReference']> = {},
  ): Promise<void> => {
    const transactionID = over.transactionID === undefined ? `pi_${order}` : over.transactionID;
    const event = buildEvent({
      ...over,
      transactionID,
      receivedAt: new Date(clock.now()).toISOString(),
      orderReference: { gateway_ids: [], order_id: String(order), transaction_id: transactionID, ...reference },
    });
    const process_id = newProcessId(Date.now());
    const data: EventReceived = { process_id, event, webhook: { connection: null, body_bytes: 2, metadata: {} } };
    await bus.publish(message('intake.event-received.v1', data, { id: event.id, process_id, now: clock.now() }));
    if (!waits) await waitFor(() => done.has(event.id), { timeout: 30_000 });
  };
  const why = async (order_id: number) =>
    (await bus.request('debug.order.why.v1', { order_id, edition: 'extended' }, slow)).data;
  const storedEvent = (order: number, state: StoredEvent['state'], reason: string | null = null): StoredEvent => ({
    id: `evt_${order}`,
    state,
    gateway: 'gateway_card',
    connection: null,
    process_id: `proc_${order}`,
    event_type: 'payment.card.payment_intent_succeeded',
    generic_type: 'payment_completed',
    order_id: null,
    named_order: String(order),
    transaction_id: null,
    amount: null,
    currency: null,
    authenticated: true,
    is_test: false,
    received_at: new Date(clock.now()).toISOString(),
    finished_at: null,
    outcome: null,
    reason,
    attempts: 0,
    next_attempt_at: null,
  });
  const keep = async (order: number, state: StoredEvent['state'], reason: string | null = null): Promise<void> => {
    await save(order, {});
    stored = [...stored, storedEvent(order, state, reason)];
  };
  const paid =
    (name: string) =>
    async (order: number): Promise<void> => {
      await save(order, { payment_method: name });
      await send(order);
    };

  const causes: readonly (readonly [WhyOutcome, Cause, RegExp])[] = [
    ['no_event', async (order) => void (await save(order, {})), /no event has named it/],
    ['waiting', (order) => send(order, {}, true), /has waited for it/],
    [
      'no_order',
      async (order) => {
        await send(order, {}, true);
        await waitFor(async () => (await why(order).catch(() => null))?.outcome === 'waiting');
        const topic = { eventType: 'payment.shop.order_deleted', genericType: null, sourceGateway: 'gateway_shop' };
        const deleted = { ...topic, primaryObjectID: String(order), transactionID: null };
        await send(order, deleted, false, { order_id: null, transaction_id: null });
      },
      /which the event waited for, was deleted in the shop, so no rule was run/,
    ],
    ['held', (order) => keep(order, 'held'), /its sender is paused/],
    ['verifying', (order) => keep(order, 'verifying'), /until the gateway confirms/],
    [
      'refused',
      (order) => keep(order, 'refused', 'The wallet does not know it.'),
      /refused: The wallet does not know it/,
    ],
    ['in_flight', (order) => keep(order, 'accepted'), /being evaluated/],
    ['no_match', paid('nothing'), /"Finish" did not match|"Call \w+" did not match/],
    ['done', paid('finish'), /rule "Finish" ran\. It went from pending to completed/],
    ['delivery_failed', paid('refused'), /the call to https:\/\/10\.0\.0\.1\/hook was given up: Nothing was sent\./],
    [
      'delivery_waiting',
      paid('down'),
      /the call to http:\/\/127\.0\.0\.1:9\/hook is not delivered yet: .*(could not be reached|failed too often)/,
    ],
    [
      'no_match',
      async (order) => {
        await paid('nothing')(order);
        await send(order, { eventType: 'payment.card.charge_succeeded', transactionID: `pi_${order}` });
      },
      /did not match/,
    ],
    [
      'no_rules',
      async (order) => {
        await save(order, {});
        await send(order, { eventType: 'payment.card.charge_dispute_created', genericType: 'dispute_opened' });
      },
      /no enabled rule whose trigger it fires/,
    ],
    [
      'amount_mismatch',
      async (order) => {
        await save(order, { payment_method: 'finish' });
        await send(order, { amount: '100.00', currency: 'EUR' });
      },
      /the order amounts to 49\.00 EUR, and the event says 100\.00 EUR/,
    ],
    [
      'no_match',
      async (order) => {
        await paid('nothing')(order);
        await send(order, { amount: '100.00', currency: 'EUR', transactionID: `pi_later_${order}` });
      },
      /"\w[^"]*" did not match.* Later came "Payment succeeded" at .*100\.00 EUR/,
    ],
    [
      'payment_partial',
      async (order) => {
        await save(order, { payment_method: 'finish' });
        await send(order, { amount: '1.00', currency: 'EUR' });
      },
      /only a part of it is paid: 1\.00 of 49\.00 EUR is paid/,
    ],
    [
      'order_ambiguous',
      async (order) => {
        await save(order, { number: `N${order}` });
        await save(order + 100_000, { number: String(order) });
        await send(order);
      },
      /nothing was run: it is not clear which order this is about/,
    ],
    [
      'order_foreign',
      async (order) => {
        await save(order, { order_key: 'wc_order_own' });
        await send(order, {}, false, { claims: { order_key: 'wc_order_other' } });
      },
      /nothing was run: this is not about an order of this shop/,
    ],
    [
      'late_payment',
      async (order) => {
        await save(order, { status: 'cancelled', payment_method: 'nothing' });
        await send(order);
      },
      /a payment completed while the order is cancelled/,
    ],
    [
      'other_payment',
      async (order) => {
        await save(order, { transaction_id: `pi_own_${order}` });
        await send(order, {
          eventType: 'payment.card.charge_failed',
          genericType: 'payment_failed',
          transactionID: 'pi_other',
        });
      },
      /about a payment other than the order’s own/,
    ],
    [
      'stale',
      async (order) => {
        const [occurredAt, later] = [clock.now() - 60_000, clock.now()].map((time) => new Date(time).toISOString());
        await save(order, { payment_method: 'nothing' });
        await send(order, { occurredAt: later ?? null });
        const eventType = 'payment.card.payment_intent_processing';
        await send(order, { eventType, genericType: 'payment_processing', occurredAt: occurredAt ?? null });
      },
      /a later state was processed before it/,
    ],
    [
      'payment_repeated',
      async (order) => {
        await paid('nothing')(order);
        // What the first event led to is deleted from the log; the payment is remembered.
        await waitFor(async () => (await why(order)).outcome === 'no_match', { timeout: 30_000 });
        const { process_id } = await why(order);
        const page = { page: 1, per_page: 50 };
        const { logs } = await bus.request('audit.process.get.v1', { process_id: process_id ?? '', ...page }, slow);
        const deletion = { log_ids: logs.map(({ id }) => id), user: 'admin', process_id: newProcessId(Date.now()) };
        await bus.request('audit.entry.delete.v1', deletion as never, slow);
        await send(order, { eventType: 'payment.card.charge_succeeded', transactionID: null });
      },
      /this payment was seen before/,
    ],
    ['rule_failed', paid('breaks'), /rule "Break"|Rule "Break"/],
    ['action_failed', paid('nowhere'), /"nowhere" is no order status/],
    ['too_deep', paid('chained'), /the chain of rules was ended/],
    [
      'retrying',
      async (order) => {
        await save(order, { payment_method: 'finish' });
        failing.set(order, () => unavailable('shop'));
        await send(order, {}, true);
      },
      /failed and is tried again/,
    ],
    [
      'dead_letter',
      async (order) => {
        await save(order, {});
        failing.set(order, () => new Error('the order cannot be read'));
        await send(order, {}, true);
      },
      /could not be evaluated and was given up/,
    ],
  ];

  test.each(causes)(
    '%s',
    async (outcome, cause, sentence) => {
      const times = timesOn(lane) / (slowly.has(outcome) ? 4 : 1);
      for (let turn = 0; turn < times; turn += 1) {
        next += 1;
        const order = next;
        await cause(order);
        await waitFor(
          async () => {
            clock.advance(1_000);
            const found = await why(order).catch(() => null);
            return found?.outcome === outcome && sentence.test(found.sentence);
          },
          { timeout: 40_000 },
        ).catch(async () =>
          expect(await why(order)).toMatchObject({ outcome, sentence: expect.stringMatching(sentence) }),
        );
        const logged = await why(order);
        expect(logged.entries.every(({ process_id }) => process_id === logged.process_id)).toBe(true);
        failing.delete(order);
      }
    },
    300_000,
  );

  test('what happened is explained with the verdicts that the log has, whatever has changed since', async () => {
    next += 1;
    const order = next;
    await paid('nothing')(order);
    await waitFor(async () => (await why(order)).outcome === 'no_match');
    const { process_id } = await why(order);
    const explain = async () => {
      const paging = { include_disabled: true, page: 1, per_page: 50, edition: 'extended' } as const;
      return (await bus.request('debug.order.explain.v1', { process_id: process_id ?? '', ...paging })).data;
    };
    const before = await explain();
    expect(before).toMatchObject({ order_id: order, process_id, counts: { no_match: 6, runs: 0 } });
    expect(before.rules[0]).toMatchObject({
      recorded: true,
      verdict: 'no_match',
      first_failing: { id: 'payment_method', result: 'fail' },
    });
    clock.advance(60_000);
    await save(order, { payment_method: 'finish', total: '1.00' });
    const { rules } = await bus.request('rules.rule.list.v1', { page: 1, per_page: 50 });
    const [first, second] = rules;
    const actor = { user: 'test', process_id: 'proc_setup', action: null, user_agent: null, page_url: null };
    const edit = (id: number, version: number, changes: Record<string, unknown>) =>
      bus.request('rules.rule.save.v1', { id, changes, if_match: version, edition: 'extended', actor });
    await edit(first?.id ?? 0, first?.version ?? 0, { rule: ruleOf({}) });
    await edit(second?.id ?? 0, second?.version ?? 0, { enabled: false });
    const after = await explain();
    expect(after.counts).toEqual(before.counts);
    const facts = ({ rules: all }: typeof after) =>
      all.map(({ rule_id, verdict, conditions }) => ({ rule_id, verdict, conditions }));
    expect(facts(after)).toEqual(facts(before));
    await edit(first?.id ?? 0, (first?.version ?? 0) + 1, { rule: first?.rule });
    await edit(second?.id ?? 0, (second?.version ?? 0) + 1, { enabled: true });
  });

  test('refused webhooks are named where no event has come, with the diagnosis of the last', async () => {
    next += 1;
    await save(next, {});
    const summary = 'Webhook for gateway_card refused: no live secret matches';
    const refusals = [
      buildAuditEntry({
        event_type: 'webhook_rejected',
        summary,
        timestamp: new Date(clock.now() + 1_000).toISOString(),
        details: { known_sender: true },
      }),
      buildAuditEntry({
        event_type: 'webhook_rejected',
        summary: 'Webhook for gateway_card refused: There is no Card-Signature header.',
        timestamp: new Date(clock.now() + 2_000).toISOString(),
      }),
    ];
    const records = refusals.map((entry) => ({ uid: entry.uid, process_id: entry.process_id, entries: [entry] }));
    await bus.request('audit.record.v2', { records });
    await waitFor(async () => (await why(next)).outcome === 'refused');
    expect((await why(next)).sentence).toContain(summary);
  });

  test('an order that nobody knows is not found, and without a licence nothing is explained', async () => {
    await expect(why(999_999)).rejects.toMatchObject({ status: 404, code: 'svc_order_not_found' });
    const unlicensed = bus.request('debug.order.why.v1', { order_id: next, edition: 'default' });
    await expect(unlicensed).rejects.toMatchObject({ status: 403, code: 'svc_licence_required' });
  });
});
