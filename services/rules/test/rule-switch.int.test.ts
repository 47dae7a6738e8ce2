import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { openRuleSwitch } from '../src/rule-switch';

describeLanes('one import at a time', (lane) => {
  let deps: LaneDeps;
  beforeAll(async () => {
    deps = await lane.deps();
  });
  afterAll(() => deps.close());

  const instanceAt = (now: number) => openRuleSwitch(deps.store, { ...deps.clock, now: () => now });

  test('an instance whose clock is behind does not take over from one that works; after the lease it does', async () => {
    const working = await instanceAt(100_500);
    const behind = await instanceAt(100_000);
    const later = await instanceAt(131_000);
    const result = await working.tryExclusively(async () => [
      await behind.tryExclusively(async () => 'taken over'),
      await later.tryExclusively(async () => 'taken over'),
    ]);
    expect(result).toEqual([undefined, 'taken over']);
  });
});
