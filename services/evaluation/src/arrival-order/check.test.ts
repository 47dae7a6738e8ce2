import { readFileSync } from 'node:fs';
import { awaitingPayment, type ComponentChoice, type RuleData, type RuleRecord } from '@order-automation/contracts';
import { compileRules } from '@order-automation/engine';
import { record, registry } from '../../../../shared/engine/test/fixtures';
import { checkArrivalOrder } from './check';

/** What production guards against (decisions.md section 12) is no finding. */

const choice = (id: string, settings: ComponentChoice['settings'] = {}): ComponentChoice => ({ id, settings });
const rule = (id: number, data: Partial<RuleData>): RuleRecord =>
  record({ conditions: [], primaryAction: null, secondaryActions: [], ...data }, { id, name: `R${id}`, position: id });
type Part = Partial<RuleData>;
const to = (status: string) => ({ primaryAction: choice(`change_status_to_${status}`) });
const doing = (...secondaryActions: ComponentChoice[]) => ({ secondaryActions });
const on = (trigger: string | ComponentChoice, ...parts: Part[]): Part =>
  Object.assign({ trigger: typeof trigger === 'string' ? choice(trigger) : trigger }, ...parts) as Part;
const hook = (...event_types: string[]) => choice('webhook_event', { event_types });
const field = (value: string, key = 'state') => choice('set_order_meta', { key, value });
const tag = (text: string) => choice('add_order_tag', { tag: text });
const note = choice('add_order_note', { note_text: 'Seen while {{order.status}}.', add_timestamp: true });
const mail = choice('send_email', { to: 'shop@example.com', subject: 'Seen', body: 'Order {{order.id}}' });
const when = (...conditions: ComponentChoice[]) => ({ conditions });
const status = (...statuses: string[]) => choice('order_status', { statuses });

type Draft = Parameters<typeof checkArrivalOrder>[0]['draft'];
const checkRecords = (records: readonly RuleRecord[], draft: Draft = null) =>
  checkArrivalOrder(
    { draft, edition: 'extended' },
    {
      rules: { current: () => compileRules(records, registry) },
      registry,
      clock: { now: () => Date.parse('2026-01-15T10:00:00.000Z') },
      timeZone: 'UTC',
      awaiting: new Set(awaitingPayment),
      checked: new WeakMap(),
      inTurn: (_keys, work) => work(false),
    },
  );
const check = (...parts: readonly Part[]) => checkRecords(parts.map((part, at) => rule(at + 1, part)));
const idsOf = ({ findings }: Awaited<ReturnType<typeof check>>) =>
  findings.map(({ rules }) => rules.map(({ id }) => id));

test('the shortest pair of sequences, as a sentence', async () => {
  const { findings, checked, unreached } = await check(
    on('payment_complete', to('completed')),
    on('dispute_opened', doing(note)),
    on('refund_created', to('cancelled')),
  );
  expect([checked, unreached]).toEqual([3, []]);
  expect(findings).toEqual([
    {
      rules: [
        { id: 1, name: 'R1' },
        { id: 3, name: 'R3' },
      ],
      sequences: [
        ['paid', 'partly refunded'],
        ['partly refunded', 'paid'],
      ],
      ends: ['the order ends cancelled', 'the order ends completed'],
      text: 'The result of "R1" and "R3" depends on the order in which webhooks arrive. First paid, then partly refunded: the order ends cancelled. First partly refunded, then paid: the order ends completed.',
    },
  ]);
});

/** Sets of rules whose result is the same in production, whichever webhook comes first; or a webhook that came too late did nothing on purpose. */
const clean: Readonly<Record<string, readonly Part[]>> = {
  'a payment after its refund moves nothing': [
    on('order_processing', to('completed')),
    on('refund_created', to('cancelled')),
  ],
  'a payment does not take a disputed order off hold': [
    on('order_processing', to('completed')),
    on('dispute_opened', to('on_hold'), doing(tag('disputed'), note)),
  ],
  'a dispute that is won lifts the hold': [
    on('order_processing', to('processing')),
    on('dispute_opened', to('on_hold')),
    on(hook('dispute_won'), to('processing')),
  ],
  'a failure before the payment, which the order still awaits': [
    on('payment_failed', to('on_hold'), doing(mail)),
    on('order_processing', to('completed')),
  ],
  'a charge and its payment intent are one payment': [on('payment_complete', doing(note, mail, tag('paid')))],
  'each webhook by itself': [on(hook(), doing(note))],
  'different fields': [
    on('payment_complete', doing(field('yes', 'paid'))),
    on('refund_created', doing(field('yes', 'refunded'))),
  ],
  'the same value': [on('payment_complete', doing(field('yes'))), on('refund_created', doing(field('yes')))],
  'chains of changes': [
    on('order_processing', to('completed')),
    on('order_completed', doing(mail, note)),
    on('refund_created', to('cancelled')),
    on('order_cancelled', doing(tag('cancelled'))),
  ],
  'conditions that exclude each other': [
    on('payment_complete', to('completed'), when(choice('order_total', { operator: 'gt', amount: 50 }))),
    on('refund_created', to('cancelled'), when(choice('order_total', { operator: 'lte', amount: 50 }))),
  ],
  'a rule before it ends the processing': [on('subscription_renewal', to('completed'), doing(note))],
  'a lost dispute': [on('order_processing', to('completed')), on(hook('dispute_lost'), to('cancelled'))],
};

test.each(Object.entries(clean))('no finding: %s', async (_, parts) => {
  expect(idsOf(await check(...parts))).toEqual([]);
});

/** Each with the rules that a finding names. */
const planted: Readonly<Record<string, readonly [names: readonly number[], ...parts: Part[]]>> = {
  'payment against refund': [[1, 2], on('payment_complete', to('completed')), on('refund_created', to('cancelled'))],
  // docs/guide/what-if.md: orders are made up so that the conditions hold.
  'payment against refund, of every gateway but two': [
    [1, 2],
    on('payment_complete', to('completed')),
    on(
      'refund_created',
      to('cancelled'),
      when(choice('source_gateway', { gateways: ['gateway_card', 'gateway_wallet'], operator: 'is_not' })),
    ),
  ],
  'payment against a lost dispute': [
    [1, 2],
    on('payment_complete', to('completed')),
    on(hook('dispute_lost'), to('cancelled')),
  ],
  'a failure cancels what is paid next': [
    [1, 2],
    on('payment_failed', to('cancelled')),
    on('order_processing', to('completed')),
  ],
  'renewal against the end of the subscription': [
    [1, 2],
    on('subscription_renewal', to('completed')),
    on('subscription_cancelled', to('cancelled')),
  ],
  'the last writer of a field': [
    [1, 2],
    on('payment_complete', doing(field('paid'))),
    on('refund_created', doing(field('refunded'))),
  ],
  'the last webhook, in a field': [[1], on(hook(), doing(field('{{event.type}}')))],
  'a condition on the status that another rule sets': [
    [2],
    on('order_processing', to('completed')),
    on('refund_created', doing(tag('late')), when(status('completed'))),
  ],
  'a condition on the field that another rule sets': [
    [2],
    on('payment_complete', doing(field('paid'))),
    on('refund_created', doing(mail), when(choice('order_meta', { key: 'state', operator: 'is', value: 'paid' }))),
  ],
  'the status of which the shop has moved it': [
    [1, 2],
    on('payment_complete', to('completed'), when(status('processing'))),
    on('refund_created', to('cancelled'), when(status('wc-processing'))),
  ],
  "the wallet's own events": [
    [1, 2],
    on(hook('PAYMENT.CAPTURE.COMPLETED'), to('completed')),
    on(hook('PAYMENT.CAPTURE.REFUNDED'), to('cancelled')),
  ],
};

test.each(Object.entries(planted))('found: %s', async (_, [names, ...parts]) => {
  const found = await check(...parts);
  expect(idsOf(found)).toContainEqual(names);
  for (const { sequences } of found.findings) {
    const [one = [], other = []] = sequences;
    expect([...one].sort()).toEqual([...other].sort());
    expect(one).not.toEqual(other);
  }
});

/** Numbers from a seed, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const pick = <T>(list: readonly T[], next: (below: number) => number): T => list[next(list.length)] as T;

const ofOrder: readonly ComponentChoice[] = [
  choice('order_total', { operator: 'gt', amount: 50 }),
  choice('order_total', { operator: 'between', amount: 200, amount_to: 300 }),
  choice('country', { address: 'billing', countries: ['DE'] }),
  choice('product_type', { types: ['virtual'], match_all: true }),
  choice('customer_order_count', { operator: 'gte', amount: 2 }),
  choice('customer_role', { roles: ['wholesale'] }),
  choice('coupon', { codes: ['spring'] }),
  choice('payment_method', { methods: ['card'] }),
  choice('time_window', { days: ['sat'], from: '08:00', to: '20:00' }),
  choice('order_meta', { key: 'gift', operator: 'is', value: 'yes' }),
];
const triggers = [
  'order_processing',
  'payment_complete',
  'refund_created',
  'dispute_opened',
  'payment_failed',
  'order_completed',
  'subscription_cancelled',
];

/** A rule that writes to nothing that another looks at. */
const harmless = (at: number, next: (below: number) => number): Part =>
  on(
    pick(triggers, next),
    when(...(next(2) === 0 ? [] : [pick(ofOrder, next)])),
    doing(pick([note, mail, tag(`t${at}`), field('yes', `own_${at}`)], next)),
  );
const withAll = (part: Part, conditions: readonly ComponentChoice[]): Part => ({
  ...part,
  conditions: [...(part.conditions ?? []), ...conditions],
});

/** One of the sets above, its rules with the same conditions on the order, among rules that do no harm. */
function setOf(seed: number, kinds: readonly (readonly Part[])[]): { records: RuleRecord[]; own: RuleRecord[] } {
  const next = numbers(seed);
  const shared = next(3) === 0 ? [] : [pick(ofOrder, next)];
  const own = pick(kinds, next).map((part) => withAll(part, shared));
  const around = Array.from({ length: 1 + next(4) }, (_, at) => harmless(at, next));
  const ids = [...own, ...around].map((_, at) => at + 1);
  const records = [...own, ...around].map((part, at) => rule(ids[at] as number, part));
  return { records, own: records.slice(0, own.length) };
}

test('100 of 100 planted dependences are found, by the rules that they were planted in', async () => {
  const kinds = Object.values(planted).map(([, ...parts]) => parts);
  const missed: number[] = [];
  for (let seed = 1; seed <= 100; seed += 1) {
    const { records, own } = setOf(seed, kinds);
    const { findings } = await checkRecords(records);
    const names = new Set(own.map(({ id }) => id));
    if (!findings.some(({ rules }) => rules.every(({ id }) => id !== null && names.has(id)))) missed.push(seed);
  }
  expect(missed).toEqual([]);
}, 120_000);

test('0 findings in 100 clean sets', async () => {
  const alarms: string[] = [];
  for (let seed = 1; seed <= 100; seed += 1) {
    const { records } = setOf(seed, Object.values(clean));
    const { findings, unreached } = await checkRecords(records);
    alarms.push(...findings.map(({ text }) => `${seed}: ${text}`), ...unreached.map(({ name }) => `${seed}: ${name}`));
  }
  expect(alarms).toEqual([]);
}, 120_000);

const templates = JSON.parse(readFileSync('services/rules/src/templates.json', 'utf8')) as {
  readonly rule: RuleData;
}[];

test('the templates together are clean', async () => {
  const { checked, findings } = await check(...templates.map(({ rule: data }) => data));
  // A schedule has no webhooks; it is looked at all the same.
  expect([checked, findings]).toEqual([templates.length, []]);
});

test('all of 50 rules are looked at', async () => {
  const rules = Array.from({ length: 50 }, (_, at) => rule(at + 1, templates[at % templates.length]?.rule as RuleData));
  expect(await checkRecords(rules)).toMatchObject({ checked: 50, findings: [], is_truncated: false });
}, 60_000);

// docs/guide/what-if.md: "Of many rules that undo each other not all orders are tried".
test('of 50 rules that undo each other some orders are left out, and the answer says so', async () => {
  const triggers = ['payment_complete', 'refund_created', 'dispute_opened', 'order_completed', 'order_cancelled'];
  const statuses = ['completed', 'on_hold', 'cancelled', 'processing'];
  const parts = Array.from({ length: 50 }, (_, at) => on(triggers[at % 5] ?? '', to(statuses[at % 4] ?? '')));
  expect(await check(...parts)).toMatchObject({ checked: 50, is_truncated: true });
}, 60_000);

test('a draft is looked at as if it were enabled, in the place of its rule', async () => {
  const saved = [rule(1, on('payment_complete', to('completed'))), rule(2, on('refund_created', doing(note)))];
  const data = rule(9, on('refund_created', to('cancelled'))).rule;
  const named = { name: 'Draft', stop_processing: false, rule: data };
  expect((await checkRecords(saved)).findings).toEqual([]);
  const replaced = await checkRecords(saved, { id: 2, ...named });
  expect([replaced.checked, idsOf(replaced)]).toEqual([2, [[1, 2]]]);
  const added = await checkRecords(saved, { id: null, ...named });
  expect([added.checked, idsOf(added)]).toEqual([3, [[1, null]]]);
  const wrong = { ...data, trigger: choice('gone') };
  await expect(checkRecords(saved, { id: null, ...named, rule: wrong })).rejects.toMatchObject({
    code: 'svc_unknown_component',
    data: { violations: [{ path: 'draft.rule.trigger.id' }] },
  });
});

test('a rule that no order can fulfil is named, and no rule in shadow is looked at', async () => {
  const never = when(
    choice('order_total', { operator: 'gt', amount: 50 }),
    choice('order_total', { operator: 'lt', amount: 20 }),
  );
  const records = [
    rule(1, on('payment_complete', to('completed'), never)),
    rule(2, on('refund_created', to('cancelled'))),
  ];
  const shadow = { ...rule(3, on('payment_complete', to('completed'))), enabled: false, shadow: true };
  expect(await checkRecords([...records, shadow])).toEqual({
    checked: 1,
    findings: [],
    unreached: [{ id: 1, name: 'R1' }],
    is_truncated: false,
  });
});
