import type { RecordType } from '@order-automation/contracts';
import type { Store } from '@order-automation/store';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { expectUsesIndex } from '../../../shared/store/test/explain';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { openProducts } from '../src/builtin/products';
import { openRecords } from '../src/builtin/records';
import { openSiteRecords } from '../src/builtin/site-records';
import { openStockLedger } from '../src/builtin/stock-ledger';
import { apply, person, type Running, save, startListenedShop, status } from './shop';

const productsOf = async (store: Store) => openProducts(store, await openStockLedger(store));

describeLanes('shop: records', (lane) => {
  let deps: LaneDeps;
  let shop: Running;

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startListenedShop(deps, { demoShop: true });
  });
  afterAll(() => shop.service.close());

  const put = (type: RecordType, id: string, fields: Record<string, unknown>) =>
    deps.bus.request('shop.record.put.v1', { type, id, fields, cause: person });
  const get = async (type: RecordType, id: string) =>
    (await deps.bus.request('shop.record.get.v1', { type, id })).record;
  const remove = (type: RecordType, id: string) =>
    deps.bus.request('shop.record.delete.v1', { type, id, cause: person });
  const list = async (type: RecordType, search?: string) => {
    const input = { type, page: 1, per_page: 5, ...(search === undefined ? {} : { search }) };
    const { records, pagination } = await deps.bus.request('shop.record.list.v1', input);
    return { ids: records.map((record) => record.id ?? record.key), total: pagination.total };
  };

  test.each<[RecordType, string, Record<string, unknown>, Record<string, unknown>]>([
    ['product', '9001', { name: 'Kettle', price: '30.00' }, { id: 9001, type: 'simple', price: '30.00', parent_id: 0 }],
    ['category', '9001', { name: 'Kettles & pots', parent: 13 }, { id: 9001, slug: 'kettles-pots', parent: 13 }],
    ['tag', '9001', { name: 'New' }, { id: 9001, slug: 'new' }],
    ['post', '9001', { title: 'Hello' }, { id: 9001, type: 'post', status: 'publish' }],
    ['customer', '9001', { email: 'kim@example.com', first_name: 'Kim' }, { id: 9001, role: 'customer' }],
    ['role', 'reseller', { name: 'Reseller' }, { key: 'reseller' }],
    ['order_status', 'wc-wrapping', { name: 'Gift wrapping' }, { key: 'wrapping', name: 'Gift wrapping' }],
    ['payment_method', 'invoice', { title: 'Invoice' }, { id: 'invoice', enabled: true }],
    ['shipping_method', 'drone', { title: 'By drone' }, { id: 'drone', description: '' }],
  ])('%s: created, changed, listed, deleted', async (type, id, fields, expected) => {
    expect(await put(type, id, fields)).toMatchObject({ created: true, record: { ...fields, ...expected } });
    expect(await put(type, id, { extra: 'kept' })).toMatchObject({
      created: false,
      record: { ...fields, extra: 'kept' },
    });
    expect(await get(type, id)).toMatchObject({ ...fields, ...expected, extra: 'kept' });
    const word = String(fields.name ?? fields.title ?? fields.email).split(/\W/)[0] as string;
    expect((await list(type, word.toLowerCase())).ids).toContain(expected.id ?? expected.key);
    expect((await list(type)).total).toBeGreaterThan(1);
    expect(await remove(type, id)).toEqual({ deleted: true });
    await expect(get(type, id)).rejects.toMatchObject({ status: 404, code: 'svc_record_not_found' });
    await expect(remove(type, id)).rejects.toMatchObject({ status: 404, code: 'svc_record_not_found' });
  });

  test.each<[RecordType, string, Record<string, unknown>, string]>([
    ['product', '9002', { price: '1.00' }, 'name'],
    ['product', '9002', { name: 'x', variations: ['one'] }, 'variations.0'],
    ['category', '9002', { name: 'x', parent: -1 }, 'parent'],
    ['order_status', 'Not a key', { name: 'x' }, 'key'],
  ])('%s %s: what is wrong is named', async (type, id, fields, path) => {
    await expect(put(type, id, fields)).rejects.toMatchObject({
      status: 400,
      data: { violations: expect.arrayContaining([expect.objectContaining({ path })]) },
    });
  });

  test('terms of a product are given by id alone, as WooCommerce takes them; one that is not there is named', async () => {
    await put('category', '9003', { name: 'Pots' });
    await put('tag', '9003', { name: 'Sale' });
    const { record } = await put('product', '9003', {
      name: 'Pot',
      categories: [{ id: 9003 }, { id: 9004, name: 'Lids' }],
      tags: [{ id: 9003 }],
    });
    expect(record).toMatchObject({
      categories: [
        { id: 9003, name: 'Pots', slug: 'pots' },
        { id: 9004, name: 'Lids' },
      ],
      tags: [{ id: 9003, name: 'Sale' }],
    });
    expect(await get('category', '9004')).toMatchObject({ name: 'Lids' });
    await expect(put('product', '9003', { categories: [{ id: 999_999 }] })).rejects.toMatchObject({
      status: 400,
      data: { violations: [{ path: 'categories.0.name', message: expect.stringContaining('does not have') }] },
    });
  });

  test('a status of the shop’s own is taken by orders and commands, and stays while orders have it', async () => {
    await expect(save(deps.bus, 7001, { status: 'polishing' })).rejects.toMatchObject({ status: 400 });
    await put('order_status', 'polishing', { name: 'Being polished' });
    expect((await save(deps.bus, 7001, { status: 'wc-polishing' })).order.status).toBe('polishing');
    await save(deps.bus, 7002, { status: 'processing' });
    const results = await apply(deps.bus, [status('own', 7002, 'polishing'), status('none', 7002, 'shining')]);
    expect(results.map((result) => [result.key, result.status])).toEqual([
      ['own', 'applied'],
      ['none', 'failed'],
    ]);
    await expect(remove('order_status', 'polishing')).rejects.toMatchObject({ status: 409, code: 'svc_record_in_use' });
    const { orders } = await deps.bus.request('shop.order.list.v1', { status: 'wc-polishing', page: 1, per_page: 5 });
    expect(orders.map(({ id }) => id)).toEqual([7002, 7001]);
    await Promise.all([7001, 7002].map((id) => save(deps.bus, id, { status: 'completed' })));
    await remove('order_status', 'polishing');
    await expect(save(deps.bus, 7001, { status: 'polishing' })).rejects.toMatchObject({ status: 400 });
  });

  test('a variation has the type, categories and tags of its product and its own flags; categories above are known', async () => {
    await put('category', '18', { parent: 17 });
    const { orders } = await deps.bus.request('shop.order.get.v1', { ids: [1013, 1015] });
    const facts = orders.flatMap(({ products }) => products);
    expect(facts.find(({ id }) => id === 131)).toMatchObject({
      type: 'variable',
      category_ids: [18],
      parent_category_ids: [17, 11],
      tag_ids: [31],
      virtual: false,
    });
    expect(facts.find(({ id }) => id === 135)).toMatchObject({ type: 'variable', virtual: true });
    expect(facts.find(({ id }) => id === 121)).toMatchObject({ virtual: true, downloadable: true });
    await put('category', '17', { parent: 18 });
    const [circle] = (await deps.bus.request('shop.order.get.v1', { ids: [1013] })).orders;
    expect(circle?.products[0]?.parent_category_ids).toEqual([17]);
    await put('category', '17', { parent: 11 });
  });

  test('every named query walks an index', async () => {
    const { store, sent } = recordedQueries(deps.store);
    const [products, records] = [await productsOf(store), await openRecords(store)];
    await products.beginning('house', 5);
    await products.search(['house', 'blend'], 0, 5);
    await products.byIds([101]);
    await records.byIds('category', [11]);
    await records.beginning('category', 'cof', 5);
    await records.withWords('category', ['cof'], 0, 5);
    await (await openSiteRecords(store, deps.clock)).all('role');
    expect(sent.length).toBeGreaterThan(8);
    for (const { documents, filter, sort } of sent) await expectUsesIndex(deps.store, documents, filter, sort);
  });
});
