import { tallyRules } from './rule-stats';

const at = (minute: number) => `2026-01-15T10:0${minute}:00.000Z`;

test('a batch becomes one tally a rule; only matches count as fired', () => {
  expect(
    tallyRules([
      {
        rules: [
          { rule_id: 1, matched: true, at: at(2) },
          { rule_id: 2, matched: false, at: at(2) },
        ],
      },
      { rules: [] },
      {
        rules: [
          { rule_id: 1, matched: true, at: at(1) },
          { rule_id: 1, matched: false, at: at(3) },
        ],
      },
    ]),
  ).toEqual([
    { rule_id: 1, runs: 3, matches: 2, last_fired_at: at(2) },
    { rule_id: 2, runs: 1, matches: 0, last_fired_at: null },
  ]);
});
