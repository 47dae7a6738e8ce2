import { describeLanes, expectUsesIndex } from '@order-automation/testing';
import { journalQueries, openJournal } from '../src/woocommerce/journal';
import { openOrderKeys, orderKeyQueries } from '../src/woocommerce/order-keys';

describeLanes('shop: woocommerce, queries', (lane) => {
  test('what is to be handed over is found by an index', async () => {
    const store = await lane.store();
    const { documents } = await openJournal(store);
    expect(await store.explain(documents, journalQueries.due(1), { due: 1 })).toMatchObject({ usesIndex: true });
    expect(await store.explain(documents, journalQueries.dueTooLate(1), { due: 1 })).toMatchObject({ usesIndex: true });
    await expectUsesIndex(store, documents, journalQueries.before(1), { at: 1 });
    expect(await store.explain(documents, journalQueries.byIds(['a', 'b']))).toMatchObject({ usesIndex: true });
  });

  test('the orders that an id names are found by an index', async () => {
    const store = await lane.store();
    const { documents } = await openOrderKeys(store);
    expect(await store.explain(documents, orderKeyQueries.ofKeys(['a', 'b']))).toMatchObject({ usesIndex: true });
  });
});
