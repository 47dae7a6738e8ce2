import { describeLanes } from '@order-automation/testing';
import { type Cost, type CostMeter, type CostRules, startCostMeter, usualCost } from './cost-meter';

const webhooks = 9;

const figures = (
  calls: number,
  shopCalls: number,
  documents: number,
  rewrites: number,
  bytes: number,
  messages: number,
  encodings: number,
) => ({
  'store calls': calls,
  'store calls of the shop': shopCalls,
  'documents written': documents,
  rewrites,
  'bytes written': bytes,
  messages,
  encodings,
});

/** Looks for work that may fall into every webhook where the store is slow, as the stand-in for MongoDB is: each once on a busy machine, one is the shop's. */
const sweeps = { 'store calls': 4, 'store calls of the shop': 1 };

/**
 * What one webhook may cost, counted and not timed (`npm run bench:cost`): a figure grows on purpose only, and is lowered when it shrinks. One call and one
 * document are the order of a payment that the shop does not keep on it: where it does, as WooCommerce's plugins do, there is none. Where no rule matches, one
 * more of each has the order looked at in an hour: it was paid, and nothing moved it.
 */
const budgets: readonly (readonly [name: string, rules: CostRules, budget: Cost])[] = [
  ['one rule that matches', { matching: 1, others: 0 }, figures(12, 3, 10, 3, 14_640, 5, 24)],
  ['ten that listen, one matches', { matching: 1, others: 9 }, figures(12, 3, 10, 3, 25_420, 5, 33)],
  ['ten that listen, none matches', { matching: 0, others: 10 }, figures(11, 2, 9, 1, 13_050, 4, 25)],
];

describeLanes('what a webhook costs', (lane) => {
  let meter: CostMeter | undefined;
  afterEach(() => meter?.close());

  /** The bus of the distributed lane encodes, and its driver copies, in their own ways. */
  const counted = (cost: Cost): Partial<Cost> => {
    if (lane.name === 'embedded') return cost;
    const { encodings, ...rest } = cost;
    const calls = (figure: keyof typeof sweeps) => ({ [figure]: rest[figure] - sweeps[figure] });
    return { ...rest, ...calls('store calls'), ...calls('store calls of the shop') };
  };

  test.each(budgets)(
    '%s',
    async (_name, rules, budget) => {
      meter = await startCostMeter(lane, rules);
      await meter.measure(3);
      const cost = counted(usualCost(await meter.measure(webhooks)));
      const over = Object.entries(cost).filter(([figure, value]) => !(value <= budget[figure as keyof Cost]));
      expect(over).toEqual([]);
    },
    120_000,
  );
});
