import type { SearchSource } from '@order-automation/contracts';
import type { Store } from '@order-automation/store';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { openProducts } from '../src/builtin/products';
import { openStockLedger } from '../src/builtin/stock-ledger';
import { type Running, startListenedShop } from './shop';

const productsOf = async (store: Store) => openProducts(store, await openStockLedger(store));

describeLanes('shop: search', (lane) => {
  let deps: LaneDeps;
  let shop: Running;

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startListenedShop(deps, { demoShop: true });
  });
  afterAll(() => shop.service.close());

  const search = async (source: SearchSource, text = '', limit = 50) =>
    (await deps.bus.request('shop.search.v1', { source, search: text, limit })).results;
  const values = async (source: SearchSource, text = '', limit = 50) =>
    (await search(source, text, limit)).map(({ value }) => value);

  test('products by an exact id, then by the beginning of their name or SKU, then by words', async () => {
    const [first] = await search('products', '101');
    expect(first).toMatchObject({ value: '101', meta: { id: 101, title: 'House Blend, 250 g' } });
    expect(first?.label).toMatch(/^House Blend, 250 g \(.*#101\)$/);
    expect((await values('products', 'HOUSE bl'))[0]).toBe('101');
    expect(await values('products', String(first?.meta.sku).toLowerCase())).toContain('101');
    expect(await values('products', 'blend house')).toContain('101');
    expect(await values('products', 'no such thing')).toEqual([]);
    expect(await values('products', '.*')).toEqual([]);
    expect(await values('products', '', 3)).toHaveLength(3);
  });

  test('categories and tags with the number of their products', async () => {
    const [coffee] = await search('categories', 'coff');
    expect(coffee).toMatchObject({ value: '11', label: 'Coffee (coffee, #11)', meta: { id: 11, slug: 'coffee' } });
    expect(Number(coffee?.meta.count)).toBeGreaterThan(0);
    expect(await values('product_tags', '33')).toEqual(['33']);
    expect(await values('categories', 'bestseller')).toEqual([]);
  });

  test.each<[SearchSource, string, string, object]>([
    ['posts', 'roast', '203', { id: 203, title: 'How we roast', type: 'post', status: 'publish' }],
    ['users', 'shop m', 'shop_manager', { key: 'shop_manager', name: 'Shop manager' }],
    ['order_statuses', 'on-hold', 'wc-on-hold', { key: 'wc-on-hold', name: 'On hold' }],
    ['order_statuses', 'wc-on-hold', 'wc-on-hold', { key: 'wc-on-hold', name: 'On hold' }],
    ['payment_methods', 'bank', 'bacs', { id: 'bacs', title: 'Bank transfer', enabled: true }],
    ['shipping_methods', 'flat_rate', 'flat_rate', { id: 'flat_rate', title: 'Flat rate' }],
  ])('%s: %s', async (source, text, value, meta) => {
    const [found] = await search(source, text);
    expect(found).toMatchObject({ value, meta });
  });

  test('each source lists what it has, and no more than is wanted', async () => {
    for (const source of ['posts', 'users', 'order_statuses', 'payment_methods', 'shipping_methods'] as const)
      expect(await values(source, '', 2)).toHaveLength(2);
    expect(await values('users')).toContain('administrator');
  });

  test('a search for products walks an index', async () => {
    const { store, plans } = recordedQueries(deps.store);
    await (await productsOf(store)).search(['house'], 0, 5);
    // SecantusDB explains an index of an array as a scan.
    for (const { usesIndex, engine } of await plans()) expect(usesIndex || engine === 'secantus').toBe(true);
  });
});
