import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { openQuota, totalOf } from '../src/inbox/quota';

describeLanes('quota of unauthenticated bytes', (lane) => {
  let deps: LaneDeps;
  beforeEach(async () => {
    deps = await lane.deps();
  });
  afterEach(() => deps.close());
  const unknown = (bytes: number) => ({ total: totalOf('unauthenticated', null), bytes });

  test('what is added while the total is being read counts', async () => {
    const quota = await openQuota(deps.store, 100);
    for (let round = 0; round < 20; round += 1) {
      const reading = quota.refresh();
      const adding = quota.add([unknown(4)]);
      await reading;
      expect(quota.reserve(unknown(100 - 4 * round))).toBe(false);
      await adding;
    }
    await quota.refresh();
    expect(quota.reserve(unknown(20))).toBe(true);
    quota.release(unknown(20));
    expect(quota.reserve(unknown(21))).toBe(false);
  });

  test('one sender has a share, in every process; others and those that are asked about have the rest', async () => {
    const [quota, other] = [await openQuota(deps.store, 100), await openQuota(deps.store, 100)];
    const use = (sender: string, bytes: number) => ({ total: totalOf('unauthenticated', sender), bytes });
    await quota.add([use('a', 20)]);
    await other.refresh();
    for (const each of [quota, other]) {
      expect(each.reserve(use('a', 6))).toBe(false);
      expect(each.reserve(use('b', 25))).toBe(true);
      expect(each.reserve({ total: totalOf('asked', null), bytes: 100 })).toBe(true);
      each.release(use('b', 25));
    }
    await quota.add([use('a', -20)]);
    await other.refresh();
    expect(other.reserve(use('a', 25))).toBe(true);
  });

  test('under pressure from an eighth on', async () => {
    const quota = await openQuota(deps.store, 100);
    await quota.add([unknown(12)]);
    expect(quota.isUnderPressure()).toBe(false);
    await quota.add([unknown(1)]);
    expect(quota.isUnderPressure()).toBe(true);
  });
});
