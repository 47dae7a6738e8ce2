import { describeLanes } from '@order-automation/testing';
import { expectUsesIndex } from '../../../shared/store/test/explain';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { openJournal } from '../src/woocommerce/journal';
import { openOrderKeys } from '../src/woocommerce/order-keys';

describeLanes('shop: woocommerce, queries', (lane) => {
  test('what is to be handed over is found by an index', async () => {
    const store = await lane.store();
    const { store: recorded, sent } = recordedQueries(store);
    const journal = await openJournal(recorded);
    await journal.due(1, 5);
    await journal.byIds(['a', 'b']);
    await journal.purge(1);
    expect(sent.length).toBeGreaterThan(3);
    for (const { documents, filter, sort } of sent) await expectUsesIndex(store, documents, filter, sort);
  });

  test('the orders that an id names are found by an index', async () => {
    const store = await lane.store();
    const { documents } = await openOrderKeys(store);
    await expectUsesIndex(store, documents, { key: { $in: ['a', 'b'] } });
  });
});
