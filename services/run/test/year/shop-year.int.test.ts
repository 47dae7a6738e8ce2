import { describeLanes } from '@order-automation/testing';
import { livesOf } from './lives';
import { type End, endOf } from './model';
import type { Life, Step } from './plan';
import { startYearWorld, type YearWorld } from './world';

/** YEAR_SEEDS=500 YEAR_ORDERS=2000: as many years of as many orders each; YEAR_FROM is the first seed. */
const from = Number(process.env.YEAR_FROM ?? 1);
const given = { seeds: process.env.YEAR_SEEDS, orders: process.env.YEAR_ORDERS };

/** Webhooks that are handed to intake together. */
const together = 64;

type Sent = { readonly step: Step; readonly process_id: string; readonly answer: string };

/**
 * Sends the steps of all lives, the first of each, then the second of each, and so on. `isSlow`: each has its effect before the next is sent. Resolves
 * with what was sent about each.
 */
async function live(world: YearWorld, lives: readonly Life[], isSlow: boolean): Promise<Map<Life, Sent[]>> {
  const sent = new Map<Life, Sent[]>(lives.map((life) => [life, []]));
  const longest = Math.max(...lives.map(({ steps }) => steps.length));
  for (let round = 0; round < longest; round += 1) {
    const now = lives.flatMap((life) => {
      const step = life.steps[round];
      return step ? [{ life, step }] : [];
    });
    if (isSlow) await world.isSettled();
    const saves = now.filter(({ step }) => step.kind === 'save');
    if (saves.length > 0) await world.isSettled();
    for (const { life, step } of saves) {
      if (step.kind !== 'save') continue;
      if (life.isLate) await world.create(life.order);
      else await world.save(life.order.id, step.fields);
      sent.get(life)?.push({ step, process_id: '', answer: 'saved' });
    }
    if (saves.length > 0) await world.isSettled();
    const webhooks = now.flatMap(({ life, step }) => (step.kind === 'webhook' ? [{ life, step }] : []));
    for (let at = 0; at < webhooks.length; at += together) {
      const part = webhooks.slice(at, at + together);
      const answers = await world.send(part.map(({ step }) => step.webhook));
      for (const [index, { life, step }] of part.entries()) {
        const answer = answers[index];
        if (answer) sent.get(life)?.push({ step, ...answer });
      }
    }
  }
  await world.isSettled();
  return sent;
}

const textOf = ({ status, notes }: End): string => `${status} ${JSON.stringify(notes)}`;

function lineOf({ step, answer, process_id }: Sent): string {
  if (step.kind === 'save') return `  the shop saves ${JSON.stringify(step.fields)}`;
  const { name, at, body } = step.webhook;
  return `  ${process_id.slice(-6)} ${step.isCopy ? 'copy of ' : ''}${name} of ${new Date(at).toISOString()}, ${answer}\n    ${body}`;
}

/** Everything that is needed to understand a life which has ended otherwise. */
function report(world: YearWorld, life: Life, sent: readonly Sent[], actual: End): string {
  const { order, law, gateway } = life;
  return [
    `order ${order.id} (number ${order.number}, ${order.total} ${order.currency} in its smallest unit, ${order.status}): ${law}, ${gateway}`,
    `  expected ${textOf(endOf(life))}`,
    `  actual   ${textOf(actual)}`,
    ...sent.map(lineOf),
    ...world.summaries(sent.map(({ process_id }) => process_id)).map((summary) => `    ${summary}`),
  ].join('\n');
}

const counted = new Map<string, number>();

describeLanes('a year of a shop', (lane) => {
  const seeds = Number(given.seeds ?? (lane.name === 'embedded' ? 20 : 2));
  const orders = Number(given.orders ?? (lane.name === 'embedded' ? 100 : 40));
  let world: YearWorld;
  beforeAll(async () => {
    world = await startYearWorld(lane);
  }, 120_000);
  afterAll(async () => {
    await world?.close();
    if (process.env.YEAR_SEEDS)
      console.log(
        [...counted]
          .sort()
          .map(([law, count]) => `${count} × ${law}`)
          .join('\n'),
      );
  });

  test.each(Array.from({ length: seeds }, (_, index) => from + index))(
    'of seed %i every order ends as its gateways say',
    async (seed) => {
      const lives = livesOf(seed, orders, seed * 1_000_000 + 1_000, Date.UTC(2026, 10, 25));
      for (const life of lives) counted.set(life.law, (counted.get(life.law) ?? 0) + 1);
      await Promise.all(lives.filter(({ isLate }) => !isLate).map(({ order }) => world.create(order)));
      // Steps of some years fail, before or after the shop has carried them out, and are tried again: a later event does not wait for that.
      const fails = seed % 10 === 7;
      world.failEvery(fails ? 9 : 0);
      const sent = await live(world, lives, fails);
      world.failEvery(0);
      const wrong: string[] = [];
      for (const life of lives) {
        const actual = await world.endOf(life);
        if (textOf(actual) !== textOf(endOf(life))) wrong.push(report(world, life, sent.get(life) ?? [], actual));
      }
      if (wrong.length > 0) throw new Error(`seed ${seed}: ${wrong.length} of ${lives.length}\n${wrong.join('\n')}`);
    },
    600_000,
  );
});
