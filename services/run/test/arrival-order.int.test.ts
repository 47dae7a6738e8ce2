import type { ArrivalFinding, RuleData, UniversalEvent } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { addNote, changeStatus, eventOf, type OrderWorld, startOrderWorld } from './order-world';

jest.setTimeout(120_000);

/** The check against what it speaks of: the webhooks that a finding names, sent in both orders to the services that evaluate them. */

const rule = (trigger: string, status: Parameters<typeof changeStatus>[0] | null): RuleData => ({
  trigger: { id: trigger, settings: {} },
  conditions: [],
  primaryAction: status && changeStatus(status),
  secondaryActions: status ? [] : [addNote('SEEN')],
});
const draftOf = (name: string, data: RuleData) => ({ id: null, name, stop_processing: false, rule: data });

/** As gateways report what the sequences of a finding are made of; minutes between them. */
const webhooks: Readonly<Record<string, Partial<UniversalEvent>>> = {
  'payment failed': { genericType: 'payment_failed', eventType: 'payment.card.payment_intent_payment_failed' },
  paid: { genericType: 'payment_completed', eventType: 'payment.card.payment_intent_succeeded', amount: '49.00' },
  'partly refunded': {
    genericType: 'payment_refunded',
    eventType: 'payment.card.refund_created',
    primaryObjectType: 'refund',
    amount: '0.01',
  },
};
const inTime = Object.keys(webhooks);

describeLanes('rules that depend on the order in which webhooks arrive', (lane) => {
  let world: OrderWorld;
  let next = 9_100;

  beforeAll(async () => {
    world = await startOrderWorld(lane, 1);
    await world.createRule('Complete', rule('payment_complete', 'completed'));
    await world.createRule('Note', rule('refund_created', null));
    await world.startInstances();
  });
  afterAll(() => world.close());

  const check = (draft: ReturnType<typeof draftOf> | null) =>
    world.bus.request('evaluation.arrival-order.check.v1', { draft, edition: 'extended' }, { timeout: 60_000 });

  /** The status of a new order after the webhooks, one after the other. */
  const play = async (sequence: readonly string[]): Promise<string> => {
    next += 1;
    const order = next;
    await world.createOrder(order);
    for (const name of sequence) {
      const over = webhooks[name] ?? {};
      const primaryObjectID = over.primaryObjectType === 'refund' ? `re_${order}` : `pi_${order}`;
      const occurredAt = new Date(Date.parse('2026-01-15T10:00:00Z') + inTime.indexOf(name) * 60_000).toISOString();
      const data = eventOf(order, { currency: 'EUR', ...over, primaryObjectID, occurredAt });
      await world.publish([data]);
      await waitFor(() => world.isDone(data.event.id), { timeout: 30_000, describe: data.event.id });
    }
    return (await world.order(order)).status;
  };
  const played = async ({ sequences }: ArrivalFinding): Promise<string[]> => {
    const ends: string[] = [];
    for (const sequence of sequences) ends.push(`the order ends ${await play(sequence)}`);
    return ends;
  };

  test('the enabled rules do not, and what a draft would make of the webhooks is what it makes of them', async () => {
    expect(await check(null)).toMatchObject({ checked: 2, findings: [] });
    const cancel = draftOf('Cancel', rule('refund_created', 'cancelled'));
    const { checked, findings } = await check(cancel);
    expect([checked, findings.length]).toEqual([3, 1]);
    const [finding] = findings as [ArrivalFinding];
    expect(finding.rules.map(({ name }) => name)).toEqual(['Complete', 'Cancel']);
    await world.createRule('Cancel', cancel.rule);
    await waitFor(async () => (await check(null)).findings.length === 1, { timeout: 30_000, describe: 'the rule' });
    expect(await played(finding)).toEqual(finding.ends);
  });

  test('what is no finding ends the same: a failure that arrives after its payment moves nothing', async () => {
    const { findings } = await check(draftOf('Give up', rule('payment_failed', 'cancelled')));
    expect(findings.filter(({ rules }) => rules.some(({ name }) => name === 'Give up'))).toEqual([]);
    await world.createRule('Give up', rule('payment_failed', 'cancelled'));
    await waitFor(async () => (await check(null)).checked === 4, { timeout: 30_000, describe: 'the rule' });
    const ends = [await play(['payment failed', 'paid']), await play(['paid', 'payment failed'])];
    expect(ends).toEqual(['completed', 'completed']);
  });
});
