import type { EventVerdict, JudgedEvent } from '@order-automation/contracts';
import { tallyOf } from './tally';

let id = 0;
const event = (candidate: EventVerdict, saved: EventVerdict | null, over: Partial<JudgedEvent> = {}): JudgedEvent => {
  id += 1;
  const actions = (verdict: EventVerdict) =>
    verdict === 'match' ? [{ id: 'add_order_note', label: 'Add order note' }] : [];
  return {
    event_id: `evt_${id}`,
    process_id: `proc_${id}`,
    order_id: id,
    at: '2026-01-05T00:00:00.000Z',
    event_type: 'payment_completed',
    gateway: 'generic',
    value: { total: '0.10', currency: 'EUR' },
    candidate: { verdict: candidate, actions: actions(candidate) },
    saved: saved && { verdict: saved, actions: actions(saved) },
    ...over,
  };
};

test('events are grouped by what both rules make of them', () => {
  const tally = tallyOf(true);
  for (const [candidate, saved] of [
    ['match', 'match'],
    ['match', 'no_match'],
    ['no_match', 'match'],
    ['no_match', 'no_match'],
    ['unknown', 'match'],
    ['match', 'unknown'],
  ] as const)
    tally.add(event(candidate, saved));
  expect(tally.result()).toMatchObject({
    matching: { events: 2 },
    saved_matching: { events: 2 },
    newly_matching: { events: 1, actions: [{ id: 'add_order_note', events: 1 }] },
    no_longer_matching: { events: 1 },
    unchanged: { matching: 1, not_matching: 1 },
    unknown: 2,
  });
});

test('values are exact, for each currency, and each order counts once', () => {
  const tally = tallyOf(false);
  for (const order_id of [501, 502, 503]) tally.add(event('match', null, { order_id }));
  tally.add(event('match', null, { order_id: 502, value: { total: '99.00', currency: 'EUR' } }));
  tally.add(event('match', null, { value: { total: '17.375', currency: 'KWD' } }));
  const { newly_matching, saved_matching } = tally.result();
  expect(saved_matching).toBeNull();
  expect(newly_matching).toMatchObject({
    events: 5,
    orders: 4,
    value: [
      { currency: 'EUR', total: '0.30' },
      { currency: 'KWD', total: '17.375' },
    ],
  });
});

test('an event without an order or a record counts, and has no value', () => {
  const tally = tallyOf(false);
  tally.add(event('match', null, { order_id: null, value: null }));
  expect(tally.result().matching).toMatchObject({ events: 1, orders: 0, value: [] });
});

test('the newest events are named, twenty at most', () => {
  const tally = tallyOf(false);
  for (let turn = 0; turn < 30; turn += 1) tally.add(event('match', null));
  expect(tally.result().matching.samples).toHaveLength(20);
});
