import { describeLanes } from '@order-automation/testing';
import { openEntryIds } from '../src/records/entry-ids';

const day = 24 * 60 * 60_000;

describeLanes('audit: ids of entries', (lane) => {
  test('a block of a clock that ran ahead is settled soon after the clock was put right, and used no more', async () => {
    const { store, clock } = await lane.deps();
    let elapsed = 0;
    const ids = await openEntryIds(store, clock, () => elapsed);
    clock.advance(400 * day);
    const ahead = await ids.take(3);
    expect([ahead.isOpen(), await ids.settledBelow()]).toEqual([true, ahead.from]);
    clock.advance(-400 * day);
    expect(ahead.isOpen()).toBe(false);
    // Another instance, whose clock is still ahead, may be using it.
    expect(await ids.settledBelow()).toBe(ahead.from);
    const right = await ids.take(3);
    expect(right.from).toBeGreaterThanOrEqual(ahead.from + 3);
    expect([right.isOpen(), await ids.settledBelow()]).toEqual([true, ahead.from]);
    elapsed += 15_000;
    expect(await ids.settledBelow()).toBe(right.from);
    clock.advance(15_000);
    expect(await ids.settledBelow()).toBeGreaterThan(right.from);
  });
});
