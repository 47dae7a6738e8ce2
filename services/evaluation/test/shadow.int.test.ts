import type { NewAuditEntry, RuleRecord } from '@order-automation/contracts';
import { buildRule, buildRuleData, describeLanes, waitFor } from '@order-automation/testing';
import type { ShadowVerdict } from '../src/evaluation-document';
import { taskOfEvent } from '../src/task';
import { useEvaluation } from './evaluation-world';
import { contextOf, received } from './peers';

const trigger = { id: 'order_processing', settings: {} };
const complete = { id: 'change_status_to_completed', settings: {} };
const note = (text: string) => ({ id: 'add_order_note', settings: { note_text: text } });
const total = (operator: string, amount: number) => ({ id: 'order_total', settings: { operator, amount } });

type Parts = Partial<Pick<RuleRecord, 'position' | 'stop_processing'>> & {
  readonly conditions?: RuleRecord['rule']['conditions'];
  readonly primary?: typeof complete;
};

const ruleOf = (id: number, { conditions = [], primary, ...over }: Parts = {}): RuleRecord =>
  buildRule({
    id,
    position: id,
    ...over,
    rule: buildRuleData({
      trigger,
      conditions,
      primaryAction: primary ?? null,
      secondaryActions: [note(`note of ${id}.`)],
    }),
  });
const inShadow = (rule: RuleRecord): RuleRecord => ({ ...rule, enabled: false, shadow: true });

const evaluations = (entries: readonly NewAuditEntry[]) =>
  entries.filter(({ event_type }) => event_type === 'rule_evaluation');
const shadowOf = (entry: NewAuditEntry | undefined) => entry?.details.shadow as ShadowVerdict | undefined;

describeLanes('evaluation: rules in shadow', (lane) => {
  const world = useEvaluation(lane);

  const pay = async (order: number, amount = '49.00') => {
    const context = contextOf(order);
    world.peers.orders.set(order, { ...context, order: { ...context.order, total: amount } });
    const data = received(`pi_${order}`, order);
    const payment = { ...data, event: { ...data.event, amount } };
    await world.publish(payment);
    await world.doneWith(payment.event.id);
    return payment;
  };
  const statusOf = (order: number) => world.peers.orders.get(order)?.order.status;

  it('reach the verdicts that they reach live, on the order as the rules before them left it', async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const moving = ruleOf(20, { primary: complete, conditions: [total('gt', 40)] });
    const tried = Array.from({ length: 40 }, (_, at) => at + 1)
      .filter((id) => id !== moving.id)
      .map((id) => {
        const status = { id: 'order_status', settings: { statuses: [random(2) ? 'completed' : 'processing'] } };
        const amount = total(random(2) ? 'gt' : 'lt', random(100));
        return ruleOf(id, { conditions: [amount, ...(random(3) === 0 ? [status] : [])] });
      });
    const totals = Array.from({ length: 15 }, () => `${random(100)}.00`);

    const verdicts = async (firstOrder: number) => {
      const all: unknown[] = [];
      for (const [at, amount] of totals.entries()) {
        const entries = world.entriesOf(await pay(firstOrder + at, amount));
        for (const entry of evaluations(entries)) {
          if (entry.rule_id === moving.id) continue;
          const matched = shadowOf(entry)?.matched ?? entry.status === 'success';
          const { conditions, rule } = entry.details;
          all.push({ at, rule, matched, conditions });
        }
      }
      return all;
    };
    await world.restartWith(...tried, moving);
    const live = await verdicts(1_000);
    await world.restartWith(...tried.map(inShadow), moving);
    const shadow = await verdicts(2_000);
    expect(live.length).toBe(15 * 39);
    expect(new Set(live.map((one) => (one as { matched: boolean }).matched))).toEqual(new Set([true, false]));
    expect(shadow).toEqual(live);
  });

  it('do nothing, say what they would have done, and leave the rules after them as they would be without', async () => {
    const first = inShadow(ruleOf(1, { primary: complete, stop_processing: true }));
    const live = ruleOf(2);
    await world.restartWith(live);
    const without = await pay(51);
    await world.restartWith(first, live);
    const beside = await pay(52);

    expect(statusOf(52)).toBe(statusOf(51));
    const entries = world.entriesOf(beside);
    const own = entries.find(({ rule_id }) => rule_id === 1);
    expect(own).toMatchObject({ event_type: 'rule_evaluation', status: 'info' });
    expect(own?.summary).toMatch(
      /^Order 52: In shadow: rule ".*" would have matched and done this: change status .* completed; .*\. It would also have stopped the rules after it\. Nothing was done\.$/,
    );
    expect(own?.summary).not.toContain('..');
    expect(shadowOf(own)).toMatchObject({ matched: true, stop: true, total: '49.00', currency: 'EUR' });

    const plain = (all: readonly NewAuditEntry[]) =>
      all
        .filter(({ rule_id }) => rule_id !== 1)
        .map(({ event_type, status, rule_id, summary }) => ({
          event_type,
          status,
          rule_id,
          summary: summary.replaceAll(/\b5[12]\b/g, 'N'),
        }));
    expect(plain(entries)).toEqual(plain(world.entriesOf(without)));
    const { matched, rules, outcome } = world.reported(beside.event.id) ?? {};
    expect({ matched, rules, outcome }).toEqual({ matched: [2], rules: [2], outcome: 'success' });
    expect(world.reported(without.event.id)).toMatchObject({ matched: [2], rules: [2], outcome: 'success' });
    expect([...world.peers.commands.keys()].filter((key) => key.includes(':1:'))).toEqual([]);
  });

  it('alone, are as no rule: the event ends as one that no rule listens to', async () => {
    await world.restartWith(inShadow(ruleOf(1, { primary: complete })));
    const payment = await pay(53);
    expect(world.reported(payment.event.id)).toMatchObject({ outcome: 'no_rules', matched: [], rules: [] });
    expect(evaluations(world.entriesOf(payment))).toHaveLength(1);
    expect(world.peers.commands.size).toBe(0);
  });

  it('do nothing after a takeover, and the rule that was at work is carried out once', async () => {
    await world.restartWith(inShadow(ruleOf(1, { primary: complete })), ruleOf(2), inShadow(ruleOf(3)));
    const payment = await pay(54);
    const before = [...world.peers.commands.keys()];
    expect(before.length).toBeGreaterThan(0);
    const done = world.entriesOf(payment);
    world.peers.entries.clear();

    // As a process leaves it that dies before it has stored a step.
    const { subject } = taskOfEvent(payment);
    const left = { state: 'open', subject, steps: [], due: world.clock.now() - 1, done_at: null, outcome: null };
    await (await world.documents()).updateOne({ _id: payment.event.id }, { $set: left as never });
    await waitFor(async () => (await world.stored(payment.event.id))?.state === 'done');
    expect([...world.peers.commands.keys()]).toEqual(before);
    const verdictsOf = (all: readonly NewAuditEntry[]) =>
      evaluations(all).map((entry) => [entry.rule_id, shadowOf(entry)?.matched]);
    expect(verdictsOf(done)).toEqual([
      [1, true],
      [2, undefined],
      [3, true],
    ]);
    expect(verdictsOf(world.entriesOf(payment))).toEqual(verdictsOf(done));
    expect(world.reported(payment.event.id)).toMatchObject({ matched: [2] });
  });

  it('keep their verdict when the shop fails on the rule after them, and stay without effect', async () => {
    await world.restartWith(inShadow(ruleOf(1, { primary: complete })), ruleOf(2));
    world.peers.orders.set(55, contextOf(55));
    world.peers.failing.add(55);
    const payment = received('pi_55', 55);
    await world.publish(payment);
    await waitFor(async () => ((await world.stored(payment.event.id))?.tries ?? 0) > 0);
    world.peers.failing.delete(55);
    await world.doneInTime(payment.event.id);
    expect(evaluations(world.entriesOf(payment)).map(({ rule_id, status }) => [rule_id, status])).toEqual([
      [1, 'info'],
      [2, 'success'],
    ]);
    expect(statusOf(55)).not.toBe('completed');
  });

  it('ask the shop for the customer when the other rules are through, and reach the verdict of a live one', async () => {
    const asking = ruleOf(1, {
      conditions: [{ id: 'customer_order_count', settings: { operator: 'gte', amount: 0 } }],
    });
    let asked: string[] = [];
    await world.deps.bus.respond('shop.customer.facts.v1', async ({ customers }) => {
      asked = [...world.peers.commands.keys()];
      return { facts: customers.map(() => ({ role: 'customer', order_count: 3 })) };
    });
    await world.restartWith(asking, ruleOf(2));
    const live = evaluations(world.entriesOf(await pay(56)));
    await world.restartWith(inShadow(asking), ruleOf(2));
    const shadow = evaluations(world.entriesOf(await pay(57)));
    const conditionsOf = (entries: readonly NewAuditEntry[]) => entries.map(({ details }) => details.conditions);
    expect(live[0]?.status).toBe('success');
    expect(asked).toEqual([...world.peers.commands.keys()]);
    expect(shadowOf(shadow[0])?.matched).toBe(true);
    expect(conditionsOf(shadow)).toEqual(conditionsOf(live));
  });
});
