import { freshness } from './freshness';

describe('freshness', () => {
  it('knows an order that was changed after it was read', () => {
    const fresh = freshness();
    const before = fresh.asOf();
    fresh.changed([7]);
    const after = fresh.asOf();
    expect(fresh.isStale(7, before)).toBe(true);
    expect(fresh.isStale(7, after)).toBe(false);
    expect(fresh.isStale(8, before)).toBe(false);
  });

  it('takes what it has forgotten for stale', () => {
    const fresh = freshness(2);
    const before = fresh.asOf();
    fresh.changed([1]);
    fresh.changed([2]);
    fresh.changed([3]);
    expect(fresh.isStale(1, before)).toBe(true);
    expect(fresh.isStale(1, fresh.asOf())).toBe(false);
  });
});
