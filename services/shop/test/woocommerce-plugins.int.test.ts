import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { applySteps, save, step, view } from './shop';
import { startWooCommerceShop, type WooCommerceShop } from './woocommerce';

/** Longer than the time between two looks. */
const later = 65_000;
const hour = 3_600_000;

const completed = { kind: 'set_status', status: 'completed', send_emails: false, update_stock: false } as const;

describeLanes('shop: woocommerce, what plugins and people leave behind', (lane) => {
  let deps: LaneDeps;
  let shop: WooCommerceShop;
  let next = 0;

  const looks = () => shop.server.calls.filter(({ query }) => query.has('modified_after')).length;
  const look = async (): Promise<void> => {
    const before = looks();
    deps.clock.advance(later);
    await waitFor(() => looks() > before);
  };
  const published = (id: number) => {
    const own = shop.changes.filter(({ data }) => data.order_id === id).map(({ data }) => data);
    const first = own.filter(({ change_id }, at) => own.findIndex((one) => one.change_id === change_id) === at);
    return first.map(({ kind, from, to }) => [kind, from, to]);
  };
  const get = async (...ids: number[]) =>
    (await deps.bus.request('shop.order.get.v1', { ids }, { timeout: 10_000 })).orders.map(({ order }) => order);
  const newOrder = (fields: Record<string, unknown> = { status: 'processing' }): number => {
    next += 1;
    shop.server.putOrder(next, fields);
    return next;
  };
  /** A read that differs is not looked at while the look before is not over: the next one, or the next poll, is. */
  const readUntil = (id: number, changes: number): Promise<unknown> =>
    waitFor(async () => {
      await get(id);
      return published(id).length >= changes;
    });
  const seenOrder = async (fields?: Record<string, unknown>): Promise<number> => {
    const id = newOrder(fields);
    await get(id);
    await waitFor(() => published(id).length === 2);
    return id;
  };

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startWooCommerceShop(deps);
    await waitFor(() => looks() > 0);
    deps.clock.advance(hour);
  });
  afterEach(() => {
    shop.server.fault = () => undefined;
  });
  afterAll(() => shop?.close());

  /**
   * A write to `orders/{id}` makes an order of a subscription (https://github.com/woocommerce/woocommerce/issues/63936), whose id an event may name;
   * get_object() of class-wc-rest-orders-v2-controller.php turns away refunds alone.
   */
  test.each(['active', 'on-hold', 'pending-cancel'])(
    'a subscription (%s) is no order: nothing is read or written',
    async (status) => {
      const [id, order] = [newOrder(), newOrder()];
      shop.server.otherKinds.add(id);
      Object.assign(shop.server.orders.get(id) ?? {}, { status });
      expect(await get(id)).toEqual([]);
      expect((await get(id, order)).map((one) => one.id)).toEqual([order]);
      const note = { kind: 'add_note', note: 'Paid', customer_note: false } as const;
      const [answer] = await applySteps(deps.bus, [step(`subscription-${id}`, id, null, completed, note)]);
      expect(answer?.kind).toBe('missing');
      await expect(save(deps.bus, id, { status: 'completed' })).rejects.toMatchObject({ status: 409 });
      expect([shop.server.otherKinds.has(id), shop.server.notesOf(id)]).toEqual([true, []]);
      expect(published(id)).toEqual([]);
    },
  );

  /**
   * A plugin for deposits keeps each payment as an order of a type of its own below the order, with a fee and no product, and hides it from lists and
   * webhooks: wc_register_order_type('wcdp_payment'), https://github.com/Shahnuralam/woocommerce-deposits-magepeople. The gateway is handed its id and key.
   */
  test('a partial payment that an event names stands for the order that it pays', async () => {
    const [order, part, other] = [newOrder({ status: 'pending', total: '98.00' }), newOrder(), newOrder()];
    for (const [id, fields] of [
      [part, { order_key: 'wc_order_part', total: '40.00' }],
      [other, { line_items: [{ id: 1, name: 'Box', product_id: 9, quantity: 1, total: '49.00' }] }],
    ] as const) {
      shop.server.otherKinds.add(id);
      Object.assign(shop.server.orders.get(id) ?? {}, {
        parent_id: order,
        number: `${order}-${id}`,
        line_items: [],
        ...fields,
      });
    }
    const named = (id: number, order_key?: string) => ({
      gateway_ids: [],
      order_id: String(id),
      transaction_id: `ch_part_${id}`,
      ...(order_key ? { claims: { order_key } } : {}),
    });
    const resolve = (...references: object[]) =>
      deps.bus.request('shop.order.resolve.v1', { references: references as never }, { timeout: 10_000 });
    const answer = await resolve(named(part, 'wc_order_part'), named(other));
    expect(answer.matches).toEqual([{ order_id: order, by: 'order_id', part: '40.00' }, null]);
    expect(answer.orders.map((one) => one.order.id)).toEqual([order]);
    const foreign = await resolve(named(part, 'wc_order_else'));
    expect([foreign.matches, foreign.rejections?.map(({ kind }) => kind)]).toEqual([[null], ['foreign']]);
    expect(await get(part)).toEqual([]);
  });

  /** https://github.com/woocommerce/woocommerce/issues/27365: the plugin that knows the status is switched off, the order is still there. */
  /**
   * PayPal Payments writes the id of each refund over that of the payment: PaymentCaptureRefunded.php and PaymentSaleRefunded.php call
   * update_transaction_id() of TransactionIdHandlingTrait.php (https://github.com/woocommerce/woocommerce-paypal-payments).
   */
  test('what names the payment finds its order after the plugin has written the id of a refund over it', async () => {
    const id = await seenOrder({ status: 'processing', transaction_id: 'SALE-1' });
    shop.server.putOrder(id, { transaction_id: 'REFUND-1' });
    const resolve = async (...references: object[]) => {
      const input = { references: references as never };
      return (await deps.bus.request('shop.order.resolve.v1', input, { timeout: 10_000 })).matches;
    };
    const none = { gateway_ids: [], order_id: null };
    expect(
      await resolve(
        { ...none, transaction_id: 'SALE-1', transactions: ['SALE-1'] },
        { ...none, transaction_id: 'REFUND-1', transactions: ['REFUND-1'] },
        { ...none, transaction_id: 'SALE-2', transactions: ['SALE-2'] },
      ),
    ).toEqual([{ order_id: id, by: 'gateway_id' }, { order_id: id, by: 'transaction_id' }, null]);
  });

  test('an order in a status that the shop has no more is found alone and among others, and can be moved', async () => {
    const [id, other] = [newOrder(), newOrder()];
    Object.assign(shop.server.orders.get(id) ?? {}, { status: 'partial-payment' });
    expect((await get(id)).map((one) => one.status)).toEqual(['partial-payment']);
    expect((await get(other, id)).map((one) => one.status)).toEqual(['processing', 'partial-payment']);
    const [answer] = await applySteps(deps.bus, [step(`gone-status-${id}`, id, null, completed)]);
    expect([answer?.kind, shop.server.orders.get(id)?.status]).toEqual(['applied', 'completed']);
  });

  /** https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/src/Internal/DataStores/Orders/OrdersTableDataStore.php: `status varchar(20)`. */
  test.each([
    ['that its column has cut', 'waiting-for-supplier', 'waiting-for-suppl'],
    ['with capitals', 'In-Transit', 'in-transit'],
  ])('a status %s is listed as orders show it, and set as the shop spells it', async (_what, spelled, shown) => {
    shop.server.statuses[spelled] = 'Of a plugin';
    deps.clock.advance(hour);
    const [id, other] = [await seenOrder(), await seenOrder()];
    const listed = { source: 'order_statuses', search: 'of a plugin', limit: 9 } as const;
    const { results } = await deps.bus.request('shop.search.v1', listed, { timeout: 10_000 });
    await save(deps.bus, id, { status: results[0]?.value });
    const command = { ...completed, status: spelled };
    const [answer] = await applySteps(deps.bus, [step(`long-status-${other}`, other, null, command)]);
    expect([results[0]?.value, answer?.kind]).toEqual([`wc-${shown}`, 'applied']);
    expect((await get(id, other)).map(({ status }) => status)).toEqual([shown, shown]);
    await waitFor(() => published(other).at(-1)?.[2] === shown);
    delete shop.server.statuses[spelled];
  });

  /** A plugin for languages filters lists of orders: https://github.com/hyyan/woo-poly-integration/issues/23 */
  test('an order that a plugin keeps out of every list is found', async () => {
    const id = newOrder();
    shop.server.fault = ({ method, path, query }) =>
      method === 'GET' && path === 'wc/v3/orders' && query.has('include')
        ? { reply: { status: 200, body: [] } }
        : undefined;
    expect((await get(id)).map((one) => one.id)).toEqual([id]);
    const [answer] = await applySteps(deps.bus, [step(`hidden-${id}`, id, null, completed)]);
    expect([answer?.kind, shop.server.orders.get(id)?.status]).toEqual(['applied', 'completed']);
  });

  test('a status that is switched off while it is remembered: lists and looks go on at once', async () => {
    shop.server.statuses.quote = 'Quote';
    deps.clock.advance(hour);
    const id = await seenOrder();
    delete shop.server.statuses.quote;
    shop.server.putOrder(id, { status: 'on-hold' });
    await look();
    await waitFor(() => published(id).length === 3);
    const list = { page: 1, per_page: 5 };
    expect((await deps.bus.request('shop.order.list.v1', list, { timeout: 10_000 })).orders.length).toBeGreaterThan(0);
  });

  test('orders that a plugin moves to a status of its own before the list asks for it are found, though later ones were seen', async () => {
    const [moved, other] = [await seenOrder(), await seenOrder()];
    await look();
    shop.server.statuses.boxed = 'Boxed';
    shop.server.hiddenFromAny.push('boxed');
    shop.server.putOrder(moved, { status: 'boxed' });
    await look();
    shop.server.putOrder(other, { status: 'on-hold' });
    await look();
    await waitFor(() => published(other).length === 3);
    for (let minute = 0; minute < 6; minute += 1) await look();
    await waitFor(() => published(moved).length === 3);
  });

  /** Dates of orders are whatever a program writes (https://github.com/woocommerce/woocommerce/issues/7005). */
  test('an order with a time that is still to come keeps no other from being found', async () => {
    const [id, ahead] = [await seenOrder(), newOrder()];
    const far = { date_modified: '2099-01-01T00:00:00', date_modified_gmt: '2099-01-01T00:00:00' };
    Object.assign(shop.server.orders.get(ahead) ?? {}, far);
    await look();
    await look();
    shop.server.putOrder(id, { status: 'cancelled' });
    await look();
    await waitFor(() => published(id).length === 3);
  });

  test('an order that is changed after the clock of the shop was put back is found to have changed', async () => {
    const id = newOrder();
    const ahead = new Date(deps.clock.now() + hour).toISOString().slice(0, 19);
    Object.assign(shop.server.orders.get(id) ?? {}, { date_modified: ahead, date_modified_gmt: ahead });
    await get(id);
    await waitFor(() => published(id).length === 2);
    deps.clock.advance(1_000);
    shop.server.putOrder(id, { status: 'cancelled' });
    await readUntil(id, 3);
    expect(published(id)).toHaveLength(3);
  });

  /** WooCommerce sends no webhook for `draft`, `auto-draft` and `new` (class-wc-webhook.php, is_valid_resource): they are no orders yet. */
  test.each(['auto-draft', 'draft', 'new'])(
    'an order that is typed in by phone (%s) is created when it is saved',
    async (status) => {
      const id = newOrder({ status });
      expect((await get(id)).map((one) => one.status)).toEqual([status]);
      Object.assign(shop.server.orders.get(id) ?? {}, { status: 'processing' });
      await get(id);
      await waitFor(() => published(id).length === 2);
      expect(published(id)).toEqual([
        ['created', null, 'processing'],
        ['status_changed', null, 'processing'],
      ]);
    },
  );

  /** wc_order_fully_refunded: https://woocommerce.com/document/woocommerce-refunds/, "Refunding by changing the order status". */
  test.each(['a person here', 'a clerk'])(
    'an order that %s sets to refunded: its refund and its status, each once',
    async (who) => {
      const id = await seenOrder();
      if (who === 'a clerk') shop.server.putOrder(id, { status: 'refunded' });
      else await save(deps.bus, id, { status: 'refunded' });
      expect((await get(id))[0]?.refunds).toMatchObject([{ total: '-49.00', reason: 'Order fully refunded.' }]);
      await look();
      await waitFor(() => published(id).length === 3 && shop.refunds.some(({ order_id }) => order_id === id));
      const made = new Set(shop.refunds.filter(({ order_id }) => order_id === id).map(({ change_id }) => change_id));
      expect([made.size, published(id).at(-1)]).toEqual([1, ['status_changed', 'processing', 'refunded']]);
    },
  );

  test('an order that goes to the trash and comes back says from where', async () => {
    const id = await seenOrder();
    shop.server.trash(id);
    await readUntil(id, 3);
    deps.clock.advance(1_000);
    shop.server.restore(id);
    await readUntil(id, 4);
    expect(published(id).slice(2)).toEqual([
      ['status_changed', 'processing', 'trash'],
      ['status_changed', 'trash', 'processing'],
    ]);
  });

  /** WC_Abstract_Order::untrash() gives it `_wp_trash_meta_status`; until the next look a clerk may have moved it on. */
  test('an order that leaves the trash and is moved at once was moved from the status that it had', async () => {
    const id = await seenOrder({ status: 'on-hold' });
    shop.server.trash(id);
    await readUntil(id, 3);
    deps.clock.advance(1_000);
    shop.server.restore(id);
    shop.server.putOrder(id, { status: 'processing' });
    await readUntil(id, 4);
    expect(published(id).slice(2)).toEqual([
      ['status_changed', 'on-hold', 'trash'],
      ['status_changed', 'on-hold', 'processing'],
    ]);
  });

  test('an order that nobody has seen outside the trash is a new one when it leaves', async () => {
    const id = newOrder();
    shop.server.trash(id);
    await readUntil(id, 1);
    deps.clock.advance(1_000);
    shop.server.restore(id);
    await readUntil(id, 3);
    expect(published(id)).toEqual([
      ['identified', 'trash', 'trash'],
      ['created', null, 'processing'],
      ['status_changed', null, 'processing'],
    ]);
  });

  /**
   * No list of products has one in the trash (developer.wordpress.org, WP_Query: `any` leaves out `trash`), or, with some plugins, in another language
   * (https://github.com/hyyan/woo-poly-integration/issues/23).
   */
  test('a product in the trash is still what its orders were about', async () => {
    const tea = { id: 701, name: 'Old tea', type: 'simple', categories: [{ id: 9 }], tags: [], virtual: false };
    shop.server.products.push({ ...tea, downloadable: false, status: 'trash' });
    const id = newOrder({ line_items: [{ id: 1, product_id: 701, quantity: 1, total: '5.00' }] });
    const { orders } = await deps.bus.request('shop.order.get.v1', { ids: [id] }, { timeout: 10_000 });
    expect(orders[0]?.products).toMatchObject([{ id: 701, category_ids: [9] }]);
  });

  /** PHP makes an object of a list with gaps (https://github.com/woocommerce/woocommerce/pull/34966). */
  test('notes and refunds in the shapes of PHP are shown', async () => {
    const id = newOrder();
    const note = {
      id: 5,
      note: 'Called',
      customer_note: false,
      author: 'ada',
      date_created_gmt: '2026-01-15T10:00:00',
    };
    const refund = {
      id: '6',
      amount: 9,
      reason: null,
      refunded_by: '',
      date_created_gmt: null,
      line_items: {},
      meta_data: {},
    };
    const bodies: Record<string, unknown> = { notes: { 3: note }, refunds: [refund] };
    shop.server.fault = ({ method, path }) => {
      const body = bodies[path.replace(`wc/v3/orders/${id}/`, '')];
      return method === 'GET' && body !== undefined ? { reply: { status: 200, body } } : undefined;
    };
    expect((await view(deps.bus, id)).notes).toMatchObject([{ id: 5, note: 'Called' }]);
    const { refunds } = await deps.bus.request('shop.refund.list.v1', { order_id: id }, { timeout: 10_000 });
    expect(refunds).toMatchObject([{ id: 6, amount: '9', reason: '', refunded_by: 0, line_items: [] }]);
    bodies.refunds = [{ ...refund, amount: 'nine' }];
    await expect(deps.bus.request('shop.refund.list.v1', { order_id: id }, { timeout: 10_000 })).rejects.toMatchObject({
      message: expect.stringContaining('a refund that cannot be read: amount'),
    });
  });
});
