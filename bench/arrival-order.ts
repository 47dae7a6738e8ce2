import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { awaitingPayment, type RuleData } from '@order-automation/contracts';
import { compileRules } from '@order-automation/engine';
import { checkArrivalOrder } from '../services/evaluation/src/arrival-order/check';
import { record, registry } from '../shared/engine/test/fixtures';
import { median, table } from './table';

const rounds = 7;
const sizes = [10, 50];

const templates = join(__dirname, '../services/rules/src/templates.json');
const rulesOf = (size: number) => {
  const known = (JSON.parse(readFileSync(templates, 'utf8')) as { rule: RuleData }[]).map(({ rule }) => rule);
  return Array.from({ length: size }, (_, at) =>
    record(known[at % known.length] as RuleData, { id: at + 1, name: `R${at}` }),
  );
};

/** Seconds of the processor for one check. */
async function roundOf(rules: ReturnType<typeof rulesOf>): Promise<number> {
  const current = compileRules(rules, registry);
  const deps = { registry, clock: { now: Date.now }, timeZone: 'UTC', awaiting: new Set(awaitingPayment) };
  const before = process.cpuUsage();
  await checkArrivalOrder(
    { draft: null, edition: 'extended' },
    { ...deps, rules: { current: () => current }, checked: new WeakMap(), inTurn: (_keys, work) => work(false) },
  );
  return process.cpuUsage(before).user / 1_000_000;
}

/** The check of the order of arrival, with all templates as rules; the rounds are interleaved. 1 when 50 rules take more than 2 s of the processor. */
export async function main(): Promise<number> {
  const subjects = sizes.map((size) => ({ size, rules: rulesOf(size), costs: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1)
    for (const { rules, costs } of subjects) {
      const cost = await roundOf(rules);
      if (round > 0) costs.push(cost);
    }
  console.log(
    table([
      ['rules', 's of the processor'],
      ...subjects.map(({ size, costs }) => [String(size), median(costs).toFixed(2)]),
    ]),
  );
  const [few = Number.NaN, many = Number.NaN] = subjects.map(({ costs }) => median(costs));
  console.log(`50 rules ${many.toFixed(2)} s (goal 2), ${(many / few).toFixed(1)} x those of 10`);
  return many <= 2 ? 0 : 1;
}
