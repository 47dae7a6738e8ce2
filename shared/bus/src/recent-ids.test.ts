import { recentIds } from './recent-ids';

describe('recent ids', () => {
  test('an id is known within the window and new after it', () => {
    const ids = recentIds(1000, 10);
    expect(ids.seen('a', 0)).toBe(false);
    expect(ids.seen('a', 999)).toBe(true);
    expect(ids.seen('a', 1000)).toBe(false);
    expect(ids.seen('a', 1001)).toBe(true);
  });

  test('only the newest are remembered', () => {
    const ids = recentIds(1000, 3);
    for (const id of ['a', 'b', 'c', 'd']) expect(ids.seen(id, 1)).toBe(false);
    expect(ids.seen('a', 2)).toBe(false);
    expect(['c', 'd'].map((id) => ids.seen(id, 3))).toEqual([true, true]);
  });

  test('an id that was renewed is not forgotten with its old place', () => {
    const ids = recentIds(10, 2);
    ids.seen('a', 0);
    ids.seen('a', 20);
    ids.seen('b', 21);
    expect(ids.seen('a', 22)).toBe(true);
  });
});
