import {
  type EventReceived,
  type EventWaiting,
  message,
  type OrderChange,
  type RuleRecord,
  type UniversalEvent,
} from '@order-automation/contracts';
import { createMetrics, type Service } from '@order-automation/service';
import {
  buildRule,
  buildRuleData,
  describeLanes,
  type LaneDeps,
  settableClock,
  waitFor,
} from '@order-automation/testing';
import { type EvaluationDocument, evaluationIndexes, startEvaluation } from '../src';
import { contextOf, noteRule, type Peers, received, ruleThatFails, startPeers, testConfig } from './peers';

const config = testConfig();
const complete = { id: 'change_status_to_completed', settings: { send_emails: false, update_stock: false } };

describeLanes('evaluation', (lane) => {
  let clock = settableClock();
  let deps: LaneDeps;
  let peers: Peers;
  let service: Service;
  let database = 0;

  beforeEach(async () => {
    database += 1;
    clock = settableClock();
    deps = await lane.deps({ database: `d${database}`, clock });
    peers = await startPeers(deps.bus);
    service = await startEvaluation(deps, config);
  });
  afterEach(() => service?.close());

  const eventMessage = (data: EventReceived, id = data.event.id) =>
    message('intake.event-received.v1', data, { id, process_id: data.process_id, now: Date.now() });
  const publish = (data: EventReceived, id = data.event.id) => deps.bus.publish(eventMessage(data, id));
  const documents = () => deps.store.collection<EvaluationDocument>('evaluations', evaluationIndexes);
  const stored = async (id: string) => (await documents()).findOne({ _id: id });
  const storedAs = (id: string, state: EvaluationDocument['state']) =>
    waitFor(
      async () => {
        const document = await stored(id);
        return document?.state === state && document;
      },
      { timeout: 30_000, describe: `${id} ${state}` },
    );
  const reported = (id: string) => peers.done.find(({ event_id }) => event_id === id);
  const doneWith = (id: string) => waitFor(() => reported(id), { timeout: 30_000, describe: `${id} done` });
  /** As `doneWith`, while time passes and tries fall due. */
  const doneInTime = (id: string) =>
    waitFor(
      () => {
        clock.advance(5_000);
        return reported(id);
      },
      { timeout: 30_000, describe: `${id} done` },
    );
  const allEntriesOf = ({ process_id }: EventReceived) =>
    [...peers.entries.values()].filter((entry) => entry.process_id === process_id);
  const besides = new Set(['webhook_received', 'event_normalized', 'retry_scheduled']);
  /** Without those about the reception and about tries. */
  const entriesOf = (data: EventReceived) => allEntriesOf(data).filter(({ event_type }) => !besides.has(event_type));
  const restartWith = async (...rules: RuleRecord[]): Promise<void> => {
    peers.rules = rules;
    await service.close();
    service = await startEvaluation({ ...deps, metrics: createMetrics('evaluation') }, config);
  };

  it('evaluates, acts, records, and reports', async () => {
    const data = received('pi_a');
    await publish(data);
    expect(await doneWith(data.event.id)).toMatchObject({
      outcome: 'success',
      order_id: 42,
      rules: [1],
      matched: [1],
    });
    expect(allEntriesOf(data).map(({ event_type, rule_id, order_id }) => [event_type, rule_id, order_id])).toEqual([
      ['webhook_received', null, 42],
      ['event_normalized', null, 42],
      ['rule_evaluation', 1, 42],
      ['action_executed', 1, 42],
      ['process_completed', null, 42],
    ]);
    expect(await stored(data.event.id)).toMatchObject({ state: 'done', rules: [{ id: 1, version: 1 }], steps: [] });
  });

  it('stores the verdicts of the rules after the one that acted', async () => {
    await restartWith(noteRule(1), ruleThatFails);
    const data = received('pi_j');
    await publish(data);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success', rules: [1, 2], matched: [1] });
    expect(entriesOf(data).map(({ event_type, rule_id }) => [event_type, rule_id])).toContainEqual([
      'rule_evaluation',
      2,
    ]);
  });

  it('acts once on an event that is delivered again, and reports it again', async () => {
    const data = received('pi_b');
    await publish(data);
    await doneWith(data.event.id);
    const recorded = peers.entries.size;
    await publish(data, `${data.event.id}:1`);
    await waitFor(() => peers.done.filter(({ event_id }) => event_id === data.event.id).length === 2, {
      timeout: 30_000,
    });
    expect([...peers.commands.values()]).toEqual([1]);
    expect(peers.entries.size).toBe(recorded);
  });

  it('keeps what it has decided while the shop is unavailable, in the version of the rule that it began with', async () => {
    const data = received('pi_c');
    const gone = service;
    await restartWith(noteRule(1), ruleThatFails);
    expect(gone).not.toBe(service);
    peers.audit = 'away';
    await publish(data);
    await storedAs(data.event.id, 'open');
    await waitFor(() => peers.commands.size === 1);
    peers.rules = [];
    peers.revision += 1;
    peers.audit = 'up';
    expect(await doneInTime(data.event.id)).toMatchObject({ outcome: 'success', rules: [1, 2] });
    expect([...peers.commands.values()]).toEqual([1]);
  });

  it('tries for ever while the shop is unavailable', async () => {
    peers.shop = 'away';
    const data = received('pi_p');
    await publish(data);
    await waitFor(
      async () => {
        clock.advance(5_000);
        return ((await stored(data.event.id))?.tries ?? 0) > 8;
      },
      { timeout: 30_000 },
    );
    expect(await stored(data.event.id)).toMatchObject({ state: 'open', attempts: 0 });
    peers.shop = 'up';
    expect(await doneInTime(data.event.id)).toMatchObject({ outcome: 'success' });
  });

  it('reports nothing done before the log has it, and does nothing twice', async () => {
    peers.audit = 'away';
    const data = received('pi_d');
    await publish(data);
    await waitFor(() => peers.commands.size === 1, { timeout: 30_000 });
    expect((await storedAs(data.event.id, 'open')).steps[0]).toMatchObject({ matched: true });
    expect(peers.done).toEqual([]);
    peers.audit = 'up';
    await doneInTime(data.event.id);
    const recorded = entriesOf(data).filter(({ event_type }) => event_type === 'action_executed');
    expect(recorded.map(({ status }) => status)).toEqual(['success']);
    expect([...peers.commands.values()]).toEqual([1]);
  });

  it('stores an event on which nothing follows once, as done', async () => {
    await restartWith(ruleThatFails);
    const [first, second] = [received('pi_l'), received('pi_m')];
    await deps.bus.publish(
      [first, second, first].map((data, index) => eventMessage(data, `${data.event.id}:${index}`)),
    );
    await doneWith(first.event.id);
    expect(await doneWith(second.event.id)).toMatchObject({ outcome: 'no_match', rules: [2], matched: [] });
    const all = await (await documents()).find({}).toArray();
    expect(all.map(({ state, fence }) => [state, fence])).toEqual([
      ['done', 1],
      ['done', 1],
    ]);
  });

  it('of 20 events of which one is poison, 19 are done and one is a dead letter', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const id of ids) peers.orders.set(id, contextOf(id));
    peers.poison = 13;
    const all = ids.map((id) => received(`pi_poison_${id}`, id));
    await deps.bus.publish(all.map((data) => eventMessage(data)));
    for (const { event } of all) await doneInTime(event.id);
    const outcomes = all.map(({ event }) => reported(event.id)?.outcome);
    expect(
      outcomes.map((outcome, index) => [index + 1, outcome]).filter(([, outcome]) => outcome !== 'success'),
    ).toEqual([[13, 'dead']]);
    const dead = all[12] as EventReceived;
    expect(reported(dead.event.id)?.reason).toBe('The shop failed.');
    expect(all.map(({ event }) => reported(event.id)?.reason).filter(Boolean)).toHaveLength(1);
    expect(entriesOf(dead)).toMatchObject([
      {
        event_type: 'dead_lettered',
        status: 'error',
        order_id: 13,
        summary: expect.stringContaining('given up after 5 tries (The shop failed.)'),
      },
    ]);
    expect(await stored(dead.event.id)).toMatchObject({ state: 'dead', attempts: 5 });
    expect(peers.commands.size).toBe(19);
    const { dead_letters, pagination } = await deps.bus.request('evaluation.dead-letter.list.v1', {
      page: 1,
      per_page: 5,
    });
    expect(pagination.total).toBe(1);
    expect(dead_letters).toMatchObject([
      { event_id: dead.event.id, order_id: 13, reason: 'The shop failed.', attempts: 5, process_id: dead.process_id },
    ]);
    peers.poison = null;
    peers.done.length = 0;
    const again = { ...dead, event: { ...dead.event, id: `${dead.event.id}_again` } };
    await publish(again);
    expect(await doneInTime(again.event.id)).toMatchObject({ outcome: 'success', order_id: 13 });
  });

  it('an order that the shop fails on is tried again for as long as effects have patience; other events go on', async () => {
    peers.orders.set(13, contextOf(13));
    peers.failing.add(13);
    const started = clock.now();
    const [failing, other] = [received('pi_failing', 13), received('pi_other_order', 42)];
    const failsThenWorks = received('pi_works_again', 14);
    peers.orders.set(14, contextOf(14));
    peers.failing.add(14);
    for (const data of [failing, failsThenWorks, other]) await publish(data);
    expect(await doneWith(other.event.id)).toMatchObject({ outcome: 'success' });
    const tried = async (tries: number) =>
      waitFor(
        async () => {
          const document = await stored(failing.event.id);
          if ((document?.tries ?? 0) < tries) clock.advance(1_000);
          return (document?.tries ?? 0) >= tries && document;
        },
        { timeout: 30_000 },
      );
    const retried = await tried(8);
    expect(retried).toMatchObject({ state: 'open', attempts: 0 });
    expect(reported(failing.event.id)).toBeUndefined();
    peers.failing.delete(14);
    expect(await doneInTime(failsThenWorks.event.id)).toMatchObject({ outcome: 'success', order_id: 14 });
    expect(clock.now() - started).toBeLessThan(config.effectPatience);
    expect(reported(failing.event.id)).toBeUndefined();
    clock.advance(config.effectPatience);
    expect(await doneInTime(failing.event.id)).toMatchObject({
      outcome: 'dead',
      reason: expect.stringContaining('500'),
    });
    const dead = await stored(failing.event.id);
    expect(dead?.attempts).toBe(dead?.tries);
    expect(entriesOf(failing)).toMatchObject([{ event_type: 'dead_lettered', order_id: 13 }]);
  });

  it('a replay: what was done is not done again, rules that were added act, original rules are those of the first time', async () => {
    const data = received('pi_replay');
    const rulesOf = (event_id: string) => deps.bus.request('evaluation.event.rules.v1', { event_id });
    await publish(data);
    await doneWith(data.event.id);
    expect(await rulesOf(data.event.id)).toEqual({ rules: [{ id: 1, version: 1 }] });
    const tooMuch = { id: 'order_total', settings: { operator: 'gt', amount: 50 } };
    const edited = { ...noteRule(1), version: 2, rule: { ...noteRule(1).rule, conditions: [tooMuch] } };
    peers.versions.set('1:1', noteRule(1));
    await restartWith(edited, noteRule(7));
    const replay = async (id: string, rules?: EventReceived['rules']) => {
      await publish({ ...data, event: { ...data.event, id }, ...(rules && { rules }) });
      return doneInTime(id);
    };
    expect(await replay('evt_now')).toMatchObject({ outcome: 'success', rules: [1, 7], matched: [7] });
    expect(await replay('evt_as_then', (await rulesOf(data.event.id)).rules)).toMatchObject({
      rules: [1],
      matched: [1],
    });
    const results = entriesOf(data).flatMap(({ details }) => (details.action ? [details.result] : []));
    expect(results).toEqual(['applied', 'applied', 'already_applied']);
    expect([...peers.commands.values()].sort()).toEqual([1, 2]);
    await expect(rulesOf('evt_none')).rejects.toMatchObject({ status: 404, code: 'svc_event_not_found' });
  });

  it('an event that no rule was evaluated for has no original rules; the log names the disabled ones that listen', async () => {
    await deps.bus.respond('rules.disabled-listeners.v1', async () => ({
      rules: [{ id: 4, name: 'Draft' }],
      total: 1,
    }));
    await restartWith();
    const data = received('pi_no_rules');
    await publish(data);
    await doneInTime(data.event.id);
    const asked = deps.bus.request('evaluation.event.rules.v1', { event_id: data.event.id });
    await expect(asked).rejects.toMatchObject({ status: 409, code: 'svc_event_not_evaluated' });
    expect(entriesOf(data).map(({ summary }) => summary)).toContainEqual(
      expect.stringContaining('no enabled rule whose trigger it fires; 1 disabled one listens to it: "Draft".'),
    );
  });

  it('a schedule fires once for each order, and catches up once after a stop', async () => {
    const trigger = { id: 'schedule', settings: { cron: '0 9 * * *', order_statuses: ['on-hold'] } };
    const note = { id: 'add_order_note', settings: { note_text: 'reminder' } };
    const rule = buildRule({
      id: 5,
      rule: buildRuleData({ trigger, conditions: [], primaryAction: null, secondaryActions: [note] }),
    });
    const { order } = contextOf(50);
    peers.orders.set(50, { order: { ...order, status: 'on-hold' }, products: [] });
    await restartWith(rule);
    const other = await startEvaluation({ ...deps, metrics: createMetrics('evaluation') }, config);
    const schedules = await deps.store.collection<{ _id: number; next: number }>('schedules');
    await waitFor(async () => (await schedules.findOne({ _id: 5 }))?.next, { timeout: 30_000 });
    await service.close();
    clock.advance(3 * 24 * 60 * 60 * 1000);
    service = await startEvaluation({ ...deps, metrics: createMetrics('evaluation') }, config);
    const fired = () => peers.done.filter(({ origin }) => origin === 'schedule');
    await waitFor(() => fired().length > 0, { timeout: 30_000 });
    await waitFor(async () => ((await schedules.findOne({ _id: 5 }))?.next ?? 0) > clock.now());
    expect(fired()).toMatchObject([{ outcome: 'success', order_id: 50, matched: [5] }]);
    const entries = [...peers.entries.values()].filter(({ rule_id }) => rule_id === 5);
    expect(entries.map(({ event_type, source }) => [event_type, source])).toEqual([
      ['rule_evaluation', 'scheduled'],
      ['action_executed', 'scheduled'],
    ]);
    await other.close();
  });

  it('continues what a process that died has claimed, once its lease is over', async () => {
    peers.audit = 'away';
    const data = received('pi_g');
    await publish(data);
    await storedAs(data.event.id, 'open');
    await waitFor(() => peers.commands.size === 1);
    await service.close();
    await (await documents()).updateOne({ _id: data.event.id }, { $set: { due: clock.now() + 20_000, fence: 7 } });
    peers.audit = 'up';
    service = await startEvaluation({ ...deps, metrics: createMetrics('evaluation') }, config);
    expect(reported(data.event.id)).toBeUndefined();
    clock.advance(60_000);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success' });
    expect((await stored(data.event.id))?.fence).toBe(8);
  });

  it('where no other process can hold it, it is taken up at once', async () => {
    peers.audit = 'away';
    const data = received('pi_q');
    await publish(data);
    await storedAs(data.event.id, 'open');
    await service.close();
    await (await documents()).updateOne({ _id: data.event.id }, { $set: { due: clock.now() + 60_000 } });
    peers.audit = 'up';
    service = await startEvaluation({ ...deps, metrics: createMetrics('evaluation') }, { ...config, alone: true });
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success' });
  });

  it('a process that has lost its lease says nothing', async () => {
    peers.audit = 'away';
    const data = received('pi_r');
    await publish(data);
    await waitFor(async () => ((await stored(data.event.id))?.tries ?? 0) > 0);
    await (await documents()).updateOne({ _id: data.event.id }, { $set: { due: clock.now() + 3_600_000, fence: 50 } });
    peers.audit = 'up';
    clock.advance(60_000);
    const other = received('pi_s');
    await publish(other);
    await doneWith(other.event.id);
    expect(reported(data.event.id)).toBeUndefined();
    expect(await stored(data.event.id)).toMatchObject({ state: 'open', fence: 50 });
  });

  it('decides again when the order has moved meanwhile', async () => {
    const rule = buildRule({ id: 1, rule: buildRuleData({ conditions: [], primaryAction: complete }) });
    await restartWith(rule);
    const { order } = contextOf(42);
    peers.orders.set(42, { order, products: [] });
    peers.beforeApply = () => {
      order.status = 'on-hold';
    };
    const data = received('pi_t');
    await publish(data);
    await doneWith(data.event.id);
    expect([peers.stale, order.status]).toEqual([1, 'completed']);
    expect(entriesOf(data).map(({ event_type }) => event_type)).toEqual([
      'rule_evaluation',
      'action_executed',
      'process_completed',
    ]);
  });

  const identified = (order_id: number): OrderChange => ({
    change_id: `chg_${order_id}`,
    order_id,
    kind: 'identified',
    from: 'pending',
    to: 'pending',
    at: new Date(clock.now()).toISOString(),
    cause: { process_id: 'proc_shop', depth: 0, author: 'ada' },
    keys: [`number:${order_id}`],
  });
  const appear = async (order_id: number): Promise<void> => {
    peers.orders.set(order_id, contextOf(order_id));
    const change = identified(order_id);
    await deps.bus.publish(
      message('shop.order-changed.v1', change, { id: change.change_id, process_id: 'proc_shop', now: Date.now() }),
    );
  };

  it('an event that comes before its order waits for it, across restarts, and is evaluated once', async () => {
    const data = received('pi_h', 43);
    const told: EventWaiting[] = [];
    await deps.bus.subscribe('evaluation.events-waiting.v1', 'intake', async (messages) => {
      told.push(...messages.flatMap((one) => one.data.events));
    });
    await publish(data);
    await storedAs(data.event.id, 'waiting');
    expect(entriesOf(data)).toMatchObject([
      { event_type: 'event_waiting', status: 'pending', summary: expect.stringContaining('waiting for order 43') },
    ]);
    expect(reported(data.event.id)).toBeUndefined();
    await waitFor(() => told.length > 0);
    expect(told[0]).toMatchObject({
      event_id: data.event.id,
      origin: 'intake',
      waiting_for: expect.stringContaining('order 43'),
    });
    await restartWith(noteRule(1));
    await appear(43);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success', order_id: 43 });
    expect([...peers.commands.values()]).toEqual([1]);
    const awaited = await deps.store.collection<{ _id: string }>('awaited');
    await waitFor(async () => (await awaited.countDocuments({})) === 0);
  });

  it('an event that an earlier version has left waiting, without fields that came since, goes on', async () => {
    const data = received('pi_old', 47);
    await publish(data);
    await storedAs(data.event.id, 'waiting');
    const documents = await deps.store.collection<{ _id: string; shop_entries?: unknown }>('evaluations');
    await documents.updateOne({ _id: data.event.id }, { $unset: { shop_entries: '' } });
    await restartWith(noteRule(1));
    await appear(47);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success', order_id: 47 });
  });

  it('an event whose order does not appear ends without one, and the log asks for a look', async () => {
    const data = received('pi_u', 44);
    await publish(data);
    await storedAs(data.event.id, 'waiting');
    clock.advance(2 * config.orderWait);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'no_order', order_id: null });
    expect(entriesOf(data).at(-1)).toMatchObject({
      status: 'warning',
      summary: expect.stringContaining('the shop has no order 44'),
    });
    expect(peers.commands.size).toBe(0);
  });

  it('acts once for two events of one payment', async () => {
    const first = received('pi_i');
    const second = received('pi_i');
    await publish(first);
    await publish(second);
    await doneWith(first.event.id);
    await doneWith(second.event.id);
    expect([...peers.commands.values()]).toEqual([2]);
    const results = [...peers.entries.values()]
      .filter(({ event_type }) => event_type === 'action_executed')
      .map(({ details }) => details.result);
    expect(results.sort()).toEqual(['already_applied', 'applied']);
  });

  it('acts once for each partial refund, whichever events name it, and the order stays where it is', async () => {
    const refunded = noteRule(1);
    await restartWith({ ...refunded, rule: { ...refunded.rule, trigger: { id: 'refund_created', settings: {} } } });
    const about = (event: Partial<UniversalEvent>) => {
      const data = received('pi_r');
      return { ...data, event: { ...data.event, genericType: 'payment_refunded' as const, ...event } };
    };
    const refund = (id: string, amount: string) =>
      about({
        eventType: 'payment.card.refund_created',
        primaryObjectType: 'refund',
        primaryObjectID: id,
        amount,
      });
    const charge = (amount: string) =>
      about({
        eventType: 'payment.card.charge_refunded',
        primaryObjectType: 'charge',
        primaryObjectID: 'ch_r',
        amount,
      });
    const [first, both] = [refund('re_1', '15.00'), charge('25.00')];
    for (const data of [first, charge('15.00'), both, refund('re_2', '10.00'), first]) {
      await publish(data);
      await doneWith(data.event.id);
    }
    expect(peers.commands.size).toBe(2);
    expect(peers.orders.get(42)?.order.status).toBe('pending');
    const more = refund('re_3', '49.01');
    await publish(more);
    expect(await doneWith(more.event.id)).toMatchObject({ order_id: 42 });
    expect(peers.commands.size).toBe(2);
  });

  it('acts once for a refund that the shop and the gateway report, in either order, and reports each to the shop', async () => {
    const refunded = noteRule(1);
    await restartWith({ ...refunded, rule: { ...refunded.rule, trigger: { id: 'refund_created', settings: {} } } });
    const ofShop = async (refund_id: number, amount: string): Promise<void> => {
      const change_id = `chg_refund_${refund_id}`;
      const cause = { process_id: 'proc_shop', depth: 0, author: 'ada' };
      const at = new Date().toISOString();
      const refund = {
        change_id,
        kind: 'refunded' as const,
        order_id: 42,
        refund_id,
        amount,
        currency: 'EUR',
        at,
        cause,
      };
      const origin = { id: change_id, process_id: 'proc_shop', now: Date.now() };
      await deps.bus.publish(message('shop.order-refunded.v1', refund, origin));
      expect(await doneWith(change_id)).toMatchObject({ origin: 'shop', order_id: 42, outcome: 'success' });
    };
    const ofGateway = async (id: string, amount: string): Promise<void> => {
      const data = received('pi_s');
      const event = {
        ...data.event,
        genericType: 'payment_refunded' as const,
        eventType: 'payment.card.refund_created',
        primaryObjectType: 'refund',
        primaryObjectID: id,
        amount,
      };
      await publish({ ...data, event });
      await doneWith(event.id);
    };
    await ofShop(1, '10.00');
    await ofGateway('re_1', '10.00');
    await ofGateway('re_2', '4.00');
    await ofShop(2, '4.00');
    expect([...peers.commands.values()]).toEqual([2, 2]);
    await ofShop(3, '4.00');
    expect(peers.commands.size).toBe(3);
  });

  it('moves no order backwards: neither a failure of another payment nor one from before the payment completed', async () => {
    const paid = received('pi_v');
    await publish(paid);
    await doneWith(paid.event.id);
    const before = new Date(Date.parse(paid.event.occurredAt ?? paid.event.receivedAt) - 60_000).toISOString();
    const failure = (transaction: string, occurredAt: string | null) => {
      const data = received(transaction);
      return { ...data, event: { ...data.event, genericType: 'payment_failed' as const, occurredAt } };
    };
    const [late, other] = [failure('pi_v', before), failure('pi_other', null)];
    await publish(late);
    await publish(other);
    expect(await doneWith(late.event.id)).toMatchObject({ outcome: 'stale' });
    expect(await doneWith(other.event.id)).toMatchObject({ outcome: 'other_payment' });
  });
});
