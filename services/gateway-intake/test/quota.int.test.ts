import { describeLanes } from '@order-automation/testing';
import { openQuota } from '../src/inbox/quota';

describeLanes('quota of unproven bytes', (lane) => {
  test('what is added while the total is being read counts', async () => {
    const deps = await lane.deps();
    const quota = await openQuota(deps.store, 100);
    for (let round = 0; round < 20; round += 1) {
      const reading = quota.refresh();
      const adding = quota.add(4);
      await reading;
      expect(quota.reserve(100 - 4 * round)).toBe(false);
      await adding;
    }
    await quota.refresh();
    expect(quota.reserve(20)).toBe(true);
    quota.release(20);
    expect(quota.reserve(21)).toBe(false);
    await deps.close();
  });
});
