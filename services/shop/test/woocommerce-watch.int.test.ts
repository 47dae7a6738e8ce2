import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { startShop } from '../src';
import { apply, save, status } from './shop';
import { publicUrl, startWooCommerceShop, type WooCommerceShop, wooCommerceSettings } from './woocommerce';
import { problem, startWooCommerce } from './woocommerce-server';
import { ok } from './woocommerce-server/replies';
import { answerOf } from './woocommerce-server/routes';

/** Longer than the time between two looks, and than the lease of an order. */
const later = 65_000;
const hour = 3_600_000;

describeLanes('shop: woocommerce, what others do to orders', (lane) => {
  let deps: LaneDeps;
  let shop: WooCommerceShop;
  let next = 5_000;

  /** What was published of an order, each message once. */
  const published = (id: number) => {
    const own = shop.changes.filter(({ data }) => data.order_id === id).map(({ data }) => data);
    const first = own.filter(({ change_id }, at) => own.findIndex((one) => one.change_id === change_id) === at);
    return first.map(({ kind, from, to, cause }) => [kind, from, to, cause.author]);
  };
  const entries = (id: number) => [
    ...new Map(shop.entries.filter(({ order_id }) => order_id === id).map((entry) => [entry.uid, entry])).values(),
  ];
  /** A webhook makes evaluation resolve the order: the shop reads it. */
  const hint = (id: number) =>
    deps.bus.request('shop.order.get.v1', { ids: [id] }, { timeout: 10_000 }).then(({ orders }) => orders.length);
  /** Twice the order itself, once everything that was modified. */
  const everyHint = async (id: number): Promise<void> => {
    await hint(id);
    await hint(id);
    const looks = () => shop.server.calls.filter(({ query }) => query.has('modified_after')).length;
    const before = looks();
    deps.clock.advance(later);
    await waitFor(() => looks() > before);
  };
  const newOrder = async (fields: Record<string, unknown> = { status: 'processing' }): Promise<number> => {
    next += 1;
    const id = next;
    shop.server.putOrder(id, fields);
    await hint(id);
    const created = () => published(id).length === 2;
    // A hint whose work failed, as it does on a busy machine, is made up for by the next look.
    await waitFor(created, { timeout: 2_000 }).catch(() => {
      deps.clock.advance(later);
      return waitFor(created);
    });
    return id;
  };

  beforeAll(async () => {
    deps = await lane.deps();
    const server = await startWooCommerce({ now: deps.clock.now });
    server.putOrder(1, { status: 'processing' });
    server.putOrder(2, { status: 'on-hold' });
    deps.clock.advance(hour);
    shop = await startWooCommerceShop(deps, server);
  });
  afterEach(() => {
    shop.server.fault = () => undefined;
  });
  afterAll(() => shop?.close());

  test('webhooks to us that WooCommerce has switched off are switched on again; others, as of a second installation on the shop, are left alone', async () => {
    const delivery_url = `${publicUrl}/v1/webhooks/gateway_shop`;
    shop.server.webhooks.push(
      { id: 1, name: 'Orders', status: 'disabled', delivery_url },
      { id: 2, name: 'Others', status: 'disabled', delivery_url: 'https://erp.example/hook' },
      { id: 3, name: 'By hand', status: 'paused', delivery_url },
      { id: 4, name: 'Staging', status: 'disabled', delivery_url: delivery_url.replace('automation', 'staging') },
      { id: 5, name: 'Beside us', status: 'disabled', delivery_url: delivery_url.replace('/shop/', '/other/') },
      {
        id: 6,
        name: 'With a slash',
        status: 'disabled',
        delivery_url: `${delivery_url}/?from=shop`.replace('example', 'EXAMPLE:443'),
      },
    );
    const statuses = () => shop.server.webhooks.map((one) => one.status);
    deps.clock.advance(hour + later);
    await waitFor(() => statuses()[5] === 'active');
    expect(statuses()).toEqual(['active', 'disabled', 'paused', 'disabled', 'disabled', 'active']);
    // One more delivery that fails switches it off again: it is looked at after seconds, not after an hour.
    const [ours] = shop.server.webhooks;
    if (ours) ours.status = 'disabled';
    deps.clock.advance(6_000);
    await waitFor(() => statuses()[0] === 'active');
  });

  test('an order that was there before is not new; what happens to it from now on is published', async () => {
    await waitFor(() => shop.server.calls.some(({ query }) => query.has('modified_after')));
    await everyHint(1);
    expect(published(1)).toEqual([]);
    shop.server.putOrder(1, { status: 'completed' });
    await hint(1);
    await waitFor(() => published(1).length > 0);
    await everyHint(1);
    expect(published(1)).toEqual([['status_changed', 'processing', 'completed', 'WooCommerce']]);
    await waitFor(() => entries(1).length > 0);
    expect(entries(1)).toMatchObject([
      { event_type: 'order_status_changed', source: 'system', summary: expect.stringContaining('by WooCommerce') },
    ]);
  });

  test('a new order is created and enters its status, once, however often it is read; one being typed in is none yet', async () => {
    const id = 4_000;
    shop.server.putOrder(id, { status: 'checkout-draft' });
    await everyHint(id);
    expect(published(id)).toEqual([]);
    shop.server.putOrder(id, { status: 'pending', transaction_id: 'pi_new' });
    await hint(id);
    await waitFor(() => published(id).length === 2);
    await everyHint(id);
    expect(published(id)).toEqual([
      ['created', null, 'pending', 'WooCommerce'],
      ['status_changed', null, 'pending', 'WooCommerce'],
    ]);
    const created = shop.changes.find(({ data }) => data.order_id === id && data.kind === 'created');
    expect(created?.data.keys).toEqual(expect.arrayContaining([`number:${id}`, 'gateway:pi_new']));
    expect(entries(id).map(({ event_type }) => event_type)).toEqual(['order_created']);
  });

  test('a checkout that saves its draft as pending after the payment completed it does not take that back, once', async () => {
    const id = 4_001;
    shop.server.putOrder(id, { status: 'checkout-draft' });
    await apply(deps.bus, [status('draft-paid', id, 'completed')]);
    await everyHint(id);
    await waitFor(() => published(id).length > 1);
    // The payment makes an order of the draft.
    expect(published(id).sort()).toEqual([
      ['created', null, 'completed', 'rule 7'],
      ['status_changed', null, 'completed', 'rule 7'],
    ]);
    await waitFor(() => entries(id).length > 0);
    expect(entries(id).map(({ event_type }) => event_type)).toEqual(['order_created']);
    shop.server.putOrder(id, { status: 'pending' });
    await everyHint(id);
    await waitFor(() => shop.server.orders.get(id)?.status === 'completed');
    await everyHint(id);
    const ours = published(id);
    expect(ours.filter(([, from, to]) => from === 'pending' || to === 'pending')).toEqual([]);
    shop.server.putOrder(id, { status: 'pending' });
    await hint(id);
    await waitFor(() => published(id).length > ours.length);
    expect(published(id).at(-1)).toEqual(['status_changed', 'completed', 'pending', 'WooCommerce']);
    expect(shop.server.orders.get(id)?.status).toBe('pending');
  });

  /**
   * payment_complete() of an order that its checkout has read before writes `processing`, its payment and, without a look at what others have written
   * meanwhile, the date of the payment (class-wc-order.php; seen with WooCommerce 10.5.2). A person changes the status alone.
   */
  test.each([
    ['its payment', { transaction_id: 'ch_late' }],
    ['the date of its payment alone', {}],
  ])(
    'a checkout that saves its order as processing after a rule completed it, with %s, does not take that back, once',
    async (_name, fields) => {
      const id = await newOrder({ status: 'pending' });
      await apply(deps.bus, [status(`late-${id}`, id, 'completed')]);
      await waitFor(() => published(id).length > 2);
      const ours = published(id);
      const later = new Date(deps.clock.now() + 2_000).toISOString().slice(0, 19);
      shop.server.putOrder(id, { status: 'processing', date_paid: later, date_paid_gmt: later, ...fields });
      await everyHint(id);
      await waitFor(() => shop.server.orders.get(id)?.status === 'completed');
      await everyHint(id);
      expect(published(id).filter(([kind]) => kind !== 'identified')).toEqual(ours);
      expect(shop.server.notesOf(id)[0]?.note).toBe(
        'The checkout saved this order as processing after its payment, so it is completed again.',
      );
      shop.server.putOrder(id, { status: 'processing' });
      await hint(id);
      await waitFor(() => published(id).some(([, , to]) => to === 'processing'));
      expect(published(id).at(-1)).toEqual(['status_changed', 'completed', 'processing', 'WooCommerce']);
      expect(shop.server.orders.get(id)?.status).toBe('processing');
    },
  );

  describe('an order that a plugin copies with all its meta fields, as it duplicates and splits orders, is one of its own', () => {
    test('a copy of one that was paid as a draft waits for its payment', async () => {
      const [id, copy] = [4_010, 4_011];
      shop.server.putOrder(id, { status: 'checkout-draft' });
      await apply(deps.bus, [status('copied-draft', id, 'completed')]);
      shop.server.putOrder(copy, { status: 'pending', meta_data: shop.server.orders.get(id)?.meta_data });
      await everyHint(copy);
      await waitFor(() => published(copy).length > 1);
      await everyHint(copy);
      expect(published(copy)).toEqual([
        ['created', null, 'pending', 'WooCommerce'],
        ['status_changed', null, 'pending', 'WooCommerce'],
      ]);
      expect(shop.server.orders.get(copy)?.status).toBe('pending');
    });

    test('a copy that is paid within the hour is processing', async () => {
      const id = await newOrder({ status: 'pending' });
      const copy = await newOrder({ status: 'pending' });
      await apply(deps.bus, [status('copied', id, 'completed')]);
      const { meta_data } = shop.server.orders.get(id) ?? {};
      shop.server.putOrder(copy, { status: 'processing', transaction_id: 'ch_of_copy', meta_data });
      await everyHint(copy);
      await waitFor(() => published(copy).length > 2);
      expect(published(copy).at(-1)).toEqual(['status_changed', 'pending', 'processing', 'WooCommerce']);
      expect(shop.server.orders.get(copy)?.status).toBe('processing');
    });
  });

  test('a person who moves an order back that a rule completed is right', async () => {
    const id = await newOrder({ status: 'pending' });
    await apply(deps.bus, [status(`back-${id}`, id, 'completed')]);
    await waitFor(() => published(id).length > 2);
    shop.server.putOrder(id, { status: 'processing' });
    await everyHint(id);
    await waitFor(() => published(id).length > 3);
    expect(published(id).at(-1)).toEqual(['status_changed', 'completed', 'processing', 'WooCommerce']);
    expect(shop.server.orders.get(id)?.status).toBe('processing');
  });

  test('a checkout that saves its order while the shop does what a rule has decided: done all the same', async () => {
    const id = await newOrder({ status: 'pending' });
    let isFirst = true;
    shop.server.fault = (call) => {
      if (!isFirst || call.method !== 'PUT' || !call.path.endsWith(`orders/${id}`)) return undefined;
      isFirst = false;
      answerOf(call, shop.server);
      return { reply: ok(shop.server.putOrder(id, { status: 'processing', transaction_id: 'ch_meanwhile' })) };
    };
    expect(await apply(deps.bus, [status(`meanwhile-${id}`, id, 'completed')])).toMatchObject([
      { status: 'applied', message: expect.stringContaining('Status changed from pending to completed.') },
    ]);
    expect(shop.server.orders.get(id)?.status).toBe('completed');
    await everyHint(id);
    await waitFor(() => published(id).length > 2);
    expect(published(id).filter(([, , to]) => to === 'processing')).toEqual([]);
  });

  test('what no webhook tells is found by looking at what was modified, page by page', async () => {
    shop.server.putOrder(2, { status: 'cancelled' });
    const ids = Array.from({ length: 120 }, (_, index) => 10_000 + index);
    for (const id of ids) shop.server.putOrder(id, { status: 'pending' });
    deps.clock.advance(later);
    await waitFor(() => published(2).length > 0, { timeout: 60_000 });
    await waitFor(() => ids.every((id) => published(id).length === 2), { timeout: 90_000 });
    expect(published(2)).toEqual([['status_changed', 'on-hold', 'cancelled', 'WooCommerce']]);
    shop.server.putOrder(10_119, { status: 'processing' });
    deps.clock.advance(later);
    await waitFor(() => published(10_119).length === 3, { timeout: 60_000 });
  }, 240_000);

  // services/shop/src/woocommerce/watch.ts reads from the oldest modification on, so that orders which are changed at once (a bulk edit) move to the end meanwhile.
  test('orders that are changed by the dozen while the list is read page by page hide no other', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => 12_000 + index);
    for (const id of ids) shop.server.putOrder(id, { status: 'pending' });
    let moved = false;
    shop.server.fault = ({ query }) => {
      if (!moved && query.has('modified_after') && Number(query.get('offset')) > 0) {
        moved = true;
        for (const id of ids.slice(0, 40)) shop.server.putOrder(id, { status: 'processing' });
      }
      return undefined;
    };
    deps.clock.advance(later);
    await waitFor(() => moved, { timeout: 60_000 });
    await waitFor(() => ids.every((id) => published(id).length >= 2), { timeout: 90_000 });
    deps.clock.advance(later);
    await waitFor(() => ids.every((id) => published(id).length >= 2), { timeout: 30_000 });
  }, 240_000);

  // services/shop/src/woocommerce/watch.ts: an import, or a plugin that writes into the tables, changes hundreds at once.
  test('orders that were all changed in the same second are all found', async () => {
    const ids = Array.from({ length: 320 }, (_, index) => 14_000 + index);
    for (const id of ids) shop.server.putOrder(id, { status: 'pending' });
    deps.clock.advance(later);
    await waitFor(() => ids.every((id) => published(id).length === 2), { timeout: 90_000 });
    for (const id of ids) shop.server.putOrder(id, { status: 'on-hold' });
    deps.clock.advance(later);
    await waitFor(() => ids.every((id) => published(id).length === 3), { timeout: 90_000 });
  }, 240_000);

  test('an order that goes to the trash is found without a webhook, and once', async () => {
    const id = await newOrder();
    shop.server.trash(id);
    deps.clock.advance(later);
    await waitFor(() => published(id).length > 2);
    await everyHint(id);
    expect(published(id).slice(2)).toEqual([['status_changed', 'processing', 'trash', 'WooCommerce']]);
  });

  /** WC_Order::get_order_key(): made at random for each order; the ids of MySQL count on from where a restored database was. */
  test('a new order with the id of one that a restored shop has lost is created, and enters its status', async () => {
    const id = await newOrder({ status: 'processing', order_key: 'wc_order_lost' });
    shop.server.orders.delete(id);
    shop.server.putOrder(id, { status: 'processing', order_key: 'wc_order_new' });
    deps.clock.advance(later);
    await waitFor(() => published(id).length > 3);
    await everyHint(id);
    expect(published(id).slice(2)).toEqual([
      ['created', null, 'processing', 'WooCommerce'],
      ['status_changed', null, 'processing', 'WooCommerce'],
    ]);
  });

  test('a change that another installation on the shop has made is published here too, and its own is not', async () => {
    const id = await newOrder({ status: 'pending' });
    await apply(deps.bus, [status(`mine-${id}`, id, 'on-hold')]);
    const marks = JSON.parse(String(shop.server.orders.get(id)?.meta_data.at(-1)?.value));
    const theirs = { ...marks[0], key: 'theirs', by: '2020-01-01T00:00:00.000Z', from: 'on-hold', to: 'completed' };
    const value = JSON.stringify([...marks, theirs]);
    shop.server.putOrder(id, { status: 'completed', meta_data: [{ id: 1, key: '_order_automation_applied', value }] });
    await everyHint(id);
    await waitFor(() => published(id).length > 3);
    expect(published(id).slice(2)).toEqual([
      ['status_changed', 'pending', 'on-hold', 'rule 7'],
      ['status_changed', 'on-hold', 'completed', 'WooCommerce'],
    ]);
  });

  test('what our own commands and people here change is not published again as done in WooCommerce', async () => {
    const id = await newOrder();
    await apply(deps.bus, [status(`own-${id}`, id, 'on-hold')]);
    await save(deps.bus, id, { status: 'completed' });
    await everyHint(id);
    await waitFor(() => published(id).length >= 4);
    await everyHint(id);
    expect(published(id).slice(2)).toEqual([
      ['status_changed', 'processing', 'on-hold', 'rule 7'],
      ['status_changed', 'on-hold', 'completed', 'ada'],
    ]);
  });

  test('a person was faster than our command: theirs is published first, then ours', async () => {
    const id = await newOrder();
    shop.server.putOrder(id, { status: 'on-hold' });
    await apply(deps.bus, [status(`second-${id}`, id)]);
    await everyHint(id);
    await waitFor(() => published(id).length >= 4);
    expect(published(id).slice(2)).toEqual([
      ['status_changed', 'processing', 'on-hold', 'WooCommerce'],
      ['status_changed', 'on-hold', 'completed', 'rule 7'],
    ]);
  });

  test('the answer to our write is lost and a person changes the order: each change once, with its own from and to', async () => {
    const id = await newOrder();
    let isCut = false;
    // The shop is away after the cut, so that nobody can look what has become of the write.
    shop.server.fault = ({ method }) => {
      if (isCut) return 'cut_before';
      isCut = method === 'PUT';
      return isCut ? 'cut' : undefined;
    };
    await expect(apply(deps.bus, [status(`lost-${id}`, id)])).rejects.toMatchObject({ status: 503 });
    shop.server.fault = () => undefined;
    shop.server.putOrder(id, { status: 'cancelled' });
    await waitFor(() =>
      everyHint(id).then(
        () => true,
        () => false,
      ),
    );
    await waitFor(() => published(id).length >= 3);
    const results = await apply(deps.bus, [status(`lost-${id}`, id)]);
    expect(results[0]?.status).toBe('already_applied');
    await everyHint(id);
    await waitFor(() => published(id).length >= 4);
    expect(published(id).slice(2)).toEqual([
      ['status_changed', 'completed', 'cancelled', 'WooCommerce'],
      ['status_changed', 'processing', 'completed', 'rule 7'],
    ]);
  });

  test('a refund made in WooCommerce, in part and then the rest, is published once each; the rest changes the status', async () => {
    const id = await newOrder({ status: 'completed', total: '49.00' });
    const part = shop.server.addRefund(id, { amount: '9.00', reason: 'Dented' });
    await everyHint(id);
    await waitFor(() => shop.refunds.some(({ order_id }) => order_id === id));
    shop.server.addRefund(id, { amount: '40.00' });
    await everyHint(id);
    await waitFor(() => published(id).length === 3);
    await everyHint(id);
    const own = new Map(shop.refunds.filter(({ order_id }) => order_id === id).map((one) => [one.change_id, one]));
    expect([...own.values()]).toMatchObject([
      { refund_id: part?.id, amount: '9.00', cause: { author: 'WooCommerce', depth: 0 } },
      { amount: '40.00' },
    ]);
    expect(published(id)[2]).toEqual(['status_changed', 'completed', 'refunded', 'WooCommerce']);
  });

  test('two instances: each change once', async () => {
    const other = await lane.deps({ store: deps.store, clock: deps.clock });
    const second = await startShop(other, { demoShop: false, timeZone: 'UTC', ...wooCommerceSettings(shop.server) });
    const id = await newOrder();
    const journal = await deps.store.collection<{ _id: string; order_id: number }>('woocommerce_journal');
    for (const [to, total] of [
      ['on-hold', 3],
      ['completed', 4],
    ] as const) {
      shop.server.putOrder(id, { status: to });
      const both = () => Promise.all([hint(id), other.bus.request('shop.order.get.v1', { ids: [id] })]);
      await both();
      await both();
      await waitFor(async () => (await journal.countDocuments({ order_id: id })) === total);
    }
    await everyHint(id);
    await second.close();
    expect(await journal.countDocuments({ order_id: id })).toBe(4);
  });

  test('an order that the shop cannot show keeps no other from being found', async () => {
    const [broken, healthy] = [await newOrder(), await newOrder()];
    shop.server.putOrder(broken, { status: 'completed' });
    shop.server.putOrder(healthy, { status: 'completed' });
    const reply = problem(500, 'internal_server_error', 'There has been a critical error on this website.');
    shop.server.fault = ({ path, query }) =>
      path.endsWith(`orders/${broken}`) || query.get('include')?.includes(String(broken)) ? { reply } : undefined;
    deps.clock.advance(later);
    await waitFor(() => published(healthy).length === 3);
    expect(published(broken)).toHaveLength(2);
    shop.server.fault = () => undefined;
    deps.clock.advance(later);
    await waitFor(() => published(broken).length === 3);
  });
});
