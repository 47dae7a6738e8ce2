import { StoreUnavailableError } from '@order-automation/store';
import type { RuleTally } from '../documents/rule-documents';
import { ruleStats } from './rule-stats';

const at = (minute: number) => `2026-01-15T10:0${minute}:00.000Z`;
let events = 0;
const ran = (minute: number, rules: number[], matched: number[] = []) => {
  events += 1;
  return { event_id: `evt_${events}`, at: at(minute), rules, matched };
};

function counted() {
  const saved: (readonly RuleTally[])[] = [];
  let broken: Error | undefined;
  const stats = ruleStats(async (tallies) => {
    if (broken) throw broken;
    saved.push(tallies);
  });
  return { stats, saved, breakWith: (error: Error | undefined) => (broken = error) };
}

test('batches become one tally a rule; only matches count as fired', async () => {
  const { stats, saved } = counted();
  stats.count([ran(2, [1, 2], [1]), ran(2, [])]);
  stats.count([ran(1, [1], [1]), ran(3, [1])]);
  await stats.write();
  await stats.write();
  expect(saved).toEqual([
    [
      { rule_id: 1, runs: 3, matches: 2, last_fired_at: at(2), failed: new Map() },
      { rule_id: 2, runs: 1, matches: 0, last_fired_at: null, failed: new Map() },
    ],
  ]);
});

test('an end that is heard again does not count again; a replay of its event does', async () => {
  const { stats, saved } = counted();
  const end = ran(2, [1], [1]);
  stats.count([end, end]);
  stats.count([end, { ...end, at: at(3) }]);
  await stats.write();
  expect(saved).toEqual([[{ rule_id: 1, runs: 2, matches: 2, last_fired_at: at(3), failed: new Map() }]]);
});

test('what could not be written while the store was away is written the next time, with what came since', async () => {
  const { stats, saved, breakWith } = counted();
  stats.count([ran(5, [1], [1])]);
  breakWith(new StoreUnavailableError('away'));
  const failing = stats.write();
  stats.count([ran(6, [1, 2], [2])]);
  await expect(failing).rejects.toThrow('away');
  breakWith(undefined);
  await stats.write();
  expect(saved.flat().sort((a, b) => a.rule_id - b.rule_id)).toEqual([
    { rule_id: 1, runs: 2, matches: 1, last_fired_at: at(5), failed: new Map() },
    { rule_id: 2, runs: 1, matches: 1, last_fired_at: at(6), failed: new Map() },
  ]);
});

test('what the store refuses is not tried again', async () => {
  const { stats, saved, breakWith } = counted();
  stats.count([ran(5, [1], [1])]);
  breakWith(new Error('refused'));
  await expect(stats.write()).rejects.toThrow('refused');
  breakWith(undefined);
  await stats.write();
  expect(saved).toEqual([]);
});

test('the conditions that did not pass first are counted by rule; a name that is no component id is not', async () => {
  const { stats, saved } = counted();
  const failed = (rule_id: number, condition: string) => ({ rule_id, condition });
  stats.count([{ ...ran(1, [1, 2]), failed: [failed(1, 'order_total'), failed(2, 'country')] }]);
  stats.count([{ ...ran(2, [1]), failed: [failed(1, 'order_total'), failed(1, 'a.$b')] }]);
  await stats.write();
  expect(saved.flat().map(({ rule_id, failed: counts }) => [rule_id, [...counts]])).toEqual([
    [1, [['order_total', 2]]],
    [2, [['country', 1]]],
  ]);
});
