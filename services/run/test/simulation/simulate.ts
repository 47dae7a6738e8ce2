import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@order-automation/testing';
import { createDice } from '../year/dice';
import { live } from '../year/live';
import { livesOf } from '../year/lives';
import { alarmOf } from '../year/model';
import type { Life } from '../year/plan';
import { type Cluster, startCluster } from './cluster';
import { drawnFaults } from './faults';
import { startVirtualTime, type VirtualTime } from './virtual-time';
import { openWorld } from './world';

const day = 86_400_000;
const longest = 12 * 3_600_000;
/** Orders of one seed. */
const orders = 3;

export type Simulated = {
  /** What is not as it must be; empty when all is. */
  readonly wrong: readonly string[];
  /** Each fault: when, to whom, which, and at what. */
  readonly faults: readonly string[];
  /** The log in the order of its entries. */
  readonly log: readonly string[];
};

/** The first save after the payment alone is the checkout's: a person who gets no answer cannot tell whether it was that one. */
const savedOnce = 'a draft that the shop saves after its payment';

/** Days apart, so that what one seed has made is older than anything of the next. */
const startOf = (seed: number): number => Date.UTC(2026, 10, 25) + seed * 2 * day;

/**
 * Some orders of a generated year in a cluster whose processes, calls and clocks fail as the seed has it, then what must hold: the orders are as their
 * gateways say and the log tells so, nothing is open, the log proves itself, and the watchdog raises no alarm but for the money of cancelled orders.
 * The same seed does the same in every process that begins with it.
 */
export async function simulate(seed: number): Promise<Simulated> {
  const time = startVirtualTime(seed, startOf(seed));
  const dice = createDice(seed);
  const faults = drawnFaults(dice, { every: dice.pick([3, 10, 30, 100]), most: dice.between(1, 20) });
  const all = livesOf(seed, 4 * orders, seed * 1_000 + 1, startOf(seed) - day);
  // Other gateways ask over the network. What stands beside an order and has no steps belongs to the one before.
  const own = all.filter(({ gateway, law }) => /^(?:card|generic)$/.test(gateway) && law !== savedOnce);
  const next = own.findIndex(({ steps }, at) => at >= orders && steps.length > 0);
  const lives = next < 0 ? own : own.slice(0, next);
  const run = async (): Promise<Simulated> => {
    const cluster = await startCluster(faults);
    const world = await openWorld(cluster);
    const wrong = await live(world, lives, true);
    cluster.letFaultsHappen(false);
    wrong.push(...(await alarms(cluster, time, lives)));
    await world.isSettled();
    wrong.push(...(await logIsWhole(cluster, time)));
    await cluster.close();
    return { wrong, faults: faults.happened, log: world.log() };
  };
  try {
    return await time.pass(run(), longest);
  } catch (error) {
    return { wrong: [String(error instanceof Error ? error.stack : error)], faults: faults.happened, log: [] };
  } finally {
    time.end();
  }
}

async function logIsWhole({ bus }: Cluster, time: VirtualTime): Promise<string[]> {
  // Entries are sealed when they have settled.
  time.skip(60_000);
  await delay(5_000);
  const verdict = await bus.request('audit.log.verify.v1', { from_id: null, to_id: null });
  return verdict.valid && verdict.unsealed === 0 ? [] : [`the log is not whole: ${JSON.stringify(verdict)}`];
}

/** All orders are looked at three hours later, as the watchdog does every night. */
async function alarms({ bus }: Cluster, time: VirtualTime, lives: readonly Life[]): Promise<string[]> {
  time.skip(3 * 3_600_000);
  const patient = { timeout: longest, every: 1_000 };
  await waitFor(() => bus.request('evaluation.money.check.v1', {}), patient);
  const list = () => bus.request('evaluation.money.list.v1', {});
  await waitFor(async () => (await list()).round.ended_at !== null, patient);
  const expected = lives.filter(alarmOf).map((life) => `${life.order.id} ${alarmOf(life)}`);
  const found = (await list()).findings.map(({ order_id, law }) => `${order_id} ${law}`);
  return [
    ...expected.filter((one) => !found.includes(one)).map((one) => `no alarm: ${one}`),
    ...found.filter((one) => !expected.includes(one)).map((one) => `a false alarm: ${one}`),
  ];
}
