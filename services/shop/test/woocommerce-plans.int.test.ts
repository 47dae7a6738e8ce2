import { describeLanes } from '@order-automation/testing';
import { expectUsesIndex, explain } from '../../../shared/store/test/explain';
import { journalQueries, openJournal } from '../src/woocommerce/journal';
import { openOrderKeys, orderKeyQueries } from '../src/woocommerce/order-keys';

describeLanes('shop: woocommerce, queries', (lane) => {
  test('what is to be handed over is found by an index', async () => {
    const store = await lane.store();
    const { documents } = await openJournal(store);
    expect(await explain(store, documents, journalQueries.due(1), { due: 1 })).toMatchObject({ usesIndex: true });
    expect(await explain(store, documents, journalQueries.dueTooLate(1), { due: 1 })).toMatchObject({
      usesIndex: true,
    });
    await expectUsesIndex(store, documents, journalQueries.before(1), { at: 1 });
    expect(await explain(store, documents, journalQueries.byIds(['a', 'b']))).toMatchObject({ usesIndex: true });
  });

  test('the orders that an id names are found by an index', async () => {
    const store = await lane.store();
    const { documents } = await openOrderKeys(store);
    await expectUsesIndex(store, documents, orderKeyQueries.ofKeys(['a', 'b']));
  });
});
