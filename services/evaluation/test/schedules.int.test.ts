import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@order-automation/contracts';
import { createMetrics } from '@order-automation/service';
import type { Document, Documents, Store } from '@order-automation/store';
import { buildOrder, buildRule, buildRuleData, describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { startEvaluation } from '../src';
import { newRun, openScheduleRuns } from '../src/schedules/schedule-runs';
import { contextOf, type Peers, startPeers, testConfig } from './peers';

const day = 24 * 60 * 60 * 1000;
const note = { id: 'add_order_note', settings: { note_text: 'reminder' } };
const rule = buildRule({
  id: 5,
  rule: buildRuleData({
    trigger: { id: 'schedule', settings: { cron: '0 9 * * *', order_statuses: ['on-hold'], older_than_minutes: 60 } },
    conditions: [],
    primaryAction: null,
    secondaryActions: [note],
  }),
});

/** A store whose first claims are cut off: the call fails, and what it was to write is there or not. */
function cutAtClaims(store: Store, cuts: number, written: boolean): Store {
  let left = cuts;
  const cut = <T extends Document>(documents: Documents<T>): Documents<T> =>
    new Proxy(documents, {
      get: (target, name: keyof Documents<T> & string) => {
        const method = target[name];
        if (name !== 'insertMany' || typeof method !== 'function') return method;
        return async (...args: Parameters<typeof target.insertMany>) => {
          if (left === 0) return target.insertMany(...args);
          left -= 1;
          if (written) await target.insertMany(...args);
          throw Object.assign(new Error('the connection was cut'), { code: 'unavailable' });
        };
      },
    });
  return {
    ...store,
    collection: async (name, indexes) => {
      const documents = await store.collection(name, indexes);
      return (name === 'evaluations' ? cut(documents as never) : documents) as never;
    },
    check: store.check.bind(store),
    scrub: store.scrub.bind(store),
    close: store.close.bind(store),
  };
}

describeLanes('schedules', (lane) => {
  let deps: LaneDeps;
  let peers: Peers;

  beforeEach(async () => {
    deps = await lane.deps();
    peers = await startPeers(deps.bus);
    peers.rules = [rule];
  });
  afterEach(() => deps.close());

  const addOrder = (id: number, age: number): void => {
    const since = new Date(deps.clock.now() - age).toISOString();
    const order = buildOrder({ id, status: 'on-hold', status_since: since, date_created: since, date_modified: since });
    peers.orders.set(id, { ...contextOf(id), order });
  };
  const start = (store: Store) =>
    startEvaluation({ ...deps, store, metrics: createMetrics('evaluation') }, testConfig());
  const fired = () => peers.done.filter(({ origin }) => origin === 'schedule').map(({ order_id }) => order_id);
  const nextIsSet = async (): Promise<void> => {
    const schedules = await deps.store.collection<{ _id: number; next: number }>('schedules');
    await waitFor(async () => (await schedules.findOne({ _id: 5 }))?.next, { timeout: 30_000 });
  };

  it.each([
    ['before it was written', false],
    ['after it was written', true],
  ])(
    'a connection that is cut at the claim, %s, loses no firing',
    async (_when, written) => {
      for (const id of [50, 51, 52]) addOrder(id, 2 * 60 * 60 * 1000);
      const service = await start(cutAtClaims(deps.store, 3, written));
      await nextIsSet();
      deps.clock.advance(day);
      await waitFor(
        () => {
          deps.clock.advance(5_000);
          return new Set(fired()).size === 3;
        },
        { timeout: 30_000, describe: 'the firings' },
      );
      expect(peers.steps.size).toBe(3);
      await service.close();
    },
    60_000,
  );

  it('fires in time after a clock that ran ahead was put right, also where a process died while it fired', async () => {
    addOrder(50, 2 * 60 * 60 * 1000);
    const ahead = 400 * day;
    const service = await start(deps.store);
    await nextIsSet();
    deps.clock.advance(ahead);
    await waitFor(() => fired().length === 1, { timeout: 30_000, describe: 'the firing of the clock that is ahead' });
    const schedules = await deps.store.collection<{ _id: number; next: number }>('schedules');
    await waitFor(async () => ((await schedules.findOne({ _id: 5 }))?.next ?? 0) > deps.clock.now());
    const runs = await openScheduleRuns(deps.store);
    await waitFor(async () => (await runs.byId('5')) === null);
    const left = newRun({ record: rule }, deps.clock.now() - 1_000, deps.clock.now());
    await runs.insert({ ...left, fence: 1, due: deps.clock.now() + 30_000 });
    deps.clock.advance(-ahead);
    await waitFor(async () => ((await schedules.findOne({ _id: 5 }))?.next ?? 0) <= deps.clock.now() + day);
    deps.clock.advance(day);
    await waitFor(() => fired().length === 2, { timeout: 30_000, describe: 'the firing of the clock that is right' });
    await service.close();
  }, 60_000);

  it('a rule that is saved while its schedule runs fires for every order, whichever instance sees it first', async () => {
    for (const id of [50, 51, 52]) addOrder(id, 2 * 60 * 60 * 1000);
    const first = await start(deps.store);
    await nextIsSet();
    let goOn: () => void = () => undefined;
    const isListing = new Promise<void>((begun) => {
      peers.beforeList = () => {
        begun();
        return new Promise((resolve) => {
          goOn = resolve;
        });
      };
    });
    deps.clock.advance(day);
    await isListing;
    peers.rules = [{ ...rule, version: 2, name: 'Renamed' }];
    peers.versions.set('5:1', rule);
    peers.revision += 1;
    const second = await start(deps.store);
    const schedules = await deps.store.collection<{ _id: number; version: number }>('schedules');
    await waitFor(async () => (await schedules.findOne({ _id: 5 }))?.version === 2, { timeout: 30_000 });
    peers.beforeList = () => undefined;
    goOn();
    await waitFor(() => new Set(fired()).size === 3, { timeout: 30_000, describe: 'the firings' });
    await first.close();
    await second.close();
  }, 60_000);

  it('a shop that takes three seconds for a page, and fails now and then, is read to the end, each page about once', async () => {
    for (let id = 1; id <= 120; id += 1) addOrder(id, 2 * 60 * 60 * 1000);
    const service = await start(deps.store);
    await nextIsSet();
    const pages: number[] = [];
    peers.beforeList = async (page) => {
      pages.push(page);
      if (pages.length === 1) await sleep(3_000);
      if (pages.length === 3) throw unavailable('shop');
    };
    deps.clock.advance(day);
    await waitFor(
      () => {
        deps.clock.advance(1_000);
        return new Set(fired()).size === 120;
      },
      { timeout: 50_000, describe: 'the firings' },
    );
    expect(pages).toEqual([1, 2, 3, 2, 3]);
    await service.close();
  }, 60_000);

  it('a schedule whose shop does not answer is recorded once, and fires when the shop answers', async () => {
    addOrder(50, 2 * 60 * 60 * 1000);
    const service = await start(deps.store);
    await nextIsSet();
    let isAway = true;
    let tries = 0;
    peers.beforeList = () => {
      tries += 1;
      if (isAway) throw unavailable('shop');
    };
    const told = () => [...peers.entries.values()].filter(({ event_type }) => event_type === 'schedule_failed');
    deps.clock.advance(day);
    await waitFor(
      () => {
        deps.clock.advance(5_000);
        return tries >= 5;
      },
      { timeout: 50_000, describe: 'five tries' },
    );
    expect(told()).toMatchObject([
      { status: 'warning', rule_id: 5, summary: expect.stringMatching(/^The schedule of rule ".+" could not be/) },
    ]);
    isAway = false;
    await waitFor(
      () => {
        deps.clock.advance(5_000);
        return fired().length === 1;
      },
      { timeout: 50_000, describe: 'the firing' },
    );
    expect(told()).toHaveLength(1);
    await service.close();
  }, 120_000);

  it('fires for orders beyond the first ten thousand of a status', async () => {
    for (let id = 1; id <= 10_400; id += 1) addOrder(id, 0);
    const recent = new Date(deps.clock.now() + day).toISOString();
    for (const [id, context] of peers.orders) if (id < 10_390) context.order.status_since = recent;
    const service = await start(deps.store);
    await nextIsSet();
    deps.clock.advance(day);
    await waitFor(() => fired().length >= 11, { timeout: 60_000, describe: 'the firings' });
    expect(fired().sort()).toEqual(Array.from({ length: 11 }, (_, index) => 10_390 + index));
    await service.close();
  }, 120_000);
});
