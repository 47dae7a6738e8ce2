import { benchRules, benchSituation, evaluateEvent } from '../shared/engine/test/bench-rules';
import { median, table } from './table';

const rounds = 7;
const events = 20_000;
const hot = 10;
const sizes = [100, 10_000];

/** Microseconds for one event. */
function roundOf(rules: ReturnType<typeof benchRules>): number {
  const { facts, occurrence } = benchSituation();
  const start = process.hrtime.bigint();
  for (let event = 0; event < events; event += 1) evaluateEvent(rules, occurrence, facts);
  return Number(process.hrtime.bigint() - start) / events / 1_000;
}

/** P6 of the performance page: 100 rules of which 10 listen, and 10,000. The rounds are interleaved; 1 when a goal is missed. */
export function main(): number {
  const subjects = sizes.map((size) => ({ size, rules: benchRules(size, hot), costs: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { rules, costs } of subjects) {
      const cost = roundOf(rules);
      if (round > 0) costs.push(cost);
    }
  }
  const [small = Number.NaN, large = Number.NaN] = subjects.map(({ costs }) => median(costs));
  const rows = subjects.map(({ size, costs }) => [String(size), String(hot), median(costs).toFixed(2)]);
  console.log(table([['rules', 'that listen', 'us per event'], ...rows]));
  console.log(
    `P6 100 rules ${small.toFixed(2)} us per event (goal 1.5), 10,000 rules ${(large / small).toFixed(2)} x (goal 2)`,
  );
  return small <= 1.5 && large <= 2 * small ? 0 : 1;
}
