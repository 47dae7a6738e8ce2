import { describeLanes } from '@order-automation/testing';
import { openSeen, type SeenDocument } from '../src/woocommerce/seen';

describeLanes('shop: woocommerce, what was seen of an order', (lane) => {
  test('what the holder of the lease has read stays, also where a look at old orders was first', async () => {
    const seen = await openSeen(await lane.store());
    const old: SeenDocument = { _id: 7, rev: 1, status: 'pending', refunds: [], marks: [], names: [] };
    await seen.addNew([old]);
    await seen.put(null, { ...old, status: 'completed', steps: 1 });
    expect(await seen.byIds([7])).toEqual([{ ...old, status: 'completed', steps: 1 }]);
  });

  test('what a connector notes that is about to close counts for nothing in the shop that is connected instead', async () => {
    const store = await lane.store();
    const closing = await openSeen(store, 'https://first.example');
    const [began, reached] = ['2026-01-01T00:00:00Z', '2025-10-03T00:00:00Z'];
    await closing.begin(began, reached);
    await closing.forget();
    const next = await openSeen(store, 'https://next.example');
    await next.begin('2026-01-02T00:00:00Z', reached);
    const late: SeenDocument = { _id: 7, rev: 1, status: 'pending', refunds: [], marks: [], names: [] };
    await closing.put(null, late);
    await closing.advance(began, '2026-01-01T12:00:00Z');
    expect(await next.byIds([7])).toEqual([]);
    expect(await next.progress()).toMatchObject({ modified: reached });
    await next.put(null, { ...late, status: 'completed' });
    expect(await next.byIds([7])).toEqual([{ ...late, status: 'completed', shop: 'https://next.example' }]);
    // One that an earlier version noted.
    await (await openSeen(store)).put(null, { ...late, _id: 8 });
    expect(await next.byIds([8])).toEqual([{ ...late, _id: 8 }]);
  });
});
