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
});
