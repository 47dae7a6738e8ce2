import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { startWooCommerceShop, type WooCommerceShop } from './woocommerce';
import { recordedShop } from './woocommerce-recorded-shop';

describeLanes('shop: woocommerce, lists of the recorded shop', (lane) => {
  let deps: LaneDeps;
  let shop: WooCommerceShop;

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startWooCommerceShop(deps);
    recordedShop(shop.server);
  });
  afterAll(() => shop?.close());

  test.each([
    ['order_statuses', 'pickup', 'wc-awaiting-pickup', 'Awaiting pickup & co'],
    ['payment_methods', 'card', 'oa_card', 'Card & more (oa_card)'],
    ['shipping_methods', 'express', 'flat_rate:2', 'Express & Nacht (flat_rate:2)'],
    ['categories', 'musik', '16', 'Musik & Noten (musik-noten, #16)'],
    ['product_tags', 'teuer', '20', 'Zerbrechlich & teuer (zerbrechlich-teuer, #20)'],
    ['posts', 'versand', '23', 'Versand & Rückgabe – “Fragen” (post, #23)'],
    ['products', 'tasse', '10', 'Kaffeetasse "Köln" & Co (CUP-KÖLN-01, #10)'],
    ['products', 'cup', '10', 'Kaffeetasse "Köln" & Co (CUP-KÖLN-01, #10)'],
    ['products', 'sheet-p', '20', 'Sheet music - PDF (SHEET-PDF, #20)'],
  ] as const)('%s that "%s" finds, without markup and entities', async (source, search, value, label) => {
    const { results } = await deps.bus.request('shop.search.v1', { source, search, limit: 10 });
    expect(results.find((one) => one.value === value)?.label).toBe(label);
  });

  test('the PDF of a product with variations is virtual and downloadable, the product is not', async () => {
    const line = { product_id: 18, variation_id: 20, quantity: 1, total: '8.00' };
    shop.server.putOrder(384, { line_items: [line] });
    const [found] = (await deps.bus.request('shop.order.get.v1', { ids: [384] })).orders;
    const own = { type: 'variable', category_ids: [16], parent_category_ids: [] };
    expect(found?.products).toMatchObject([
      { ...own, id: 18, virtual: false, downloadable: false },
      { ...own, id: 20, virtual: true, downloadable: true },
    ]);
  });
});
