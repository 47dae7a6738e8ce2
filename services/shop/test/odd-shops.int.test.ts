import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { applySteps, step } from './shop';
import { startWooCommerceShop, type WooCommerceShop } from './woocommerce';
import { type Call, problem, type Reply, startWooCommerce } from './woocommerce-server';
import { answerOf } from './woocommerce-server/routes';

const completed = { kind: 'set_status', status: 'completed', send_emails: false, update_stock: false } as const;
const said = (note: string) => ({ kind: 'add_note', note, customer_note: false }) as const;
/** Larger than any answer that is taken. */
const huge = { meta_data: [{ key: '_log', value: 'x'.repeat(17_000_000) }] };

describeLanes('shop: woocommerce, answers of odd shops', (lane) => {
  let deps: LaneDeps;
  let shop: WooCommerceShop;
  let next = 7_000;
  const newOrder = (fields: Record<string, unknown> = {}): number => {
    next += 1;
    shop.server.putOrder(next, { status: 'processing', ...fields });
    return next;
  };
  const moves = (id: number) => shop.server.transitions.filter(({ order_id }) => order_id === id).map(({ to }) => to);
  const own = (id: number) => shop.server.notesOf(id).filter(({ note }) => note.startsWith('own'));
  const run = async (id: number, ...commands: Parameters<typeof step>[3][]) => {
    const [answer] = await applySteps(deps.bus, [step(`odd-${id}`, id, null, ...commands)]);
    const results = answer && 'results' in answer ? answer.results : [];
    return [answer?.kind, ...results.map(({ status }) => status)];
  };
  const get = async (...ids: number[]) =>
    (await deps.bus.request('shop.order.get.v1', { ids }, { timeout: 20_000 })).orders.map(({ order }) => order.id);
  const list = (fields: { search?: string; status?: string } = {}) =>
    deps.bus.request('shop.order.list.v1', { page: 1, per_page: 10, ...fields }, { timeout: 20_000 });
  const always = (matches: RegExp, fault: (call: Call) => Reply): void => {
    shop.server.fault = (call) => (matches.test(`${call.method} ${call.path}`) ? { reply: fault(call) } : undefined);
  };
  const looks = () => shop.server.calls.filter(({ query }) => query.has('modified_after')).length;
  const look = async (): Promise<void> => {
    const before = looks();
    deps.clock.advance(65_000);
    await waitFor(() => looks() > before);
  };
  const published = (id: number) =>
    new Set(shop.changes.filter(({ data }) => data.order_id === id).map(({ data }) => data.change_id)).size;

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startWooCommerceShop(deps);
    await waitFor(() => looks() > 0);
    deps.clock.advance(3_600_000);
  });
  afterEach(() => {
    shop.server.fault = () => undefined;
    shop.server.before = '';
    shop.server.features.countsOrders = true;
    shop.server.features.takesEmoji = true;
  });
  afterAll(() => shop?.close());

  /** https://github.com/varnishcache/varnish-cache/blob/master/bin/varnishd/builtin.vcl, vcl_backend_error */
  test('a 503 with Retry-After after the shop has done what it was asked: done once, told as done', async () => {
    const id = newOrder();
    const sent = new Set<string>();
    shop.server.fault = (call) => {
      if (call.method === 'GET' || sent.has(call.path)) return undefined;
      sent.add(call.path);
      answerOf(call, shop.server);
      return {
        reply: { status: 503, body: '<title>503 Backend fetch failed</title>', headers: { 'Retry-After': '1' } },
      };
    };
    expect(await run(id, completed, said('own note'))).toEqual(['applied', 'applied', 'applied']);
    expect([moves(id), own(id).length]).toEqual([['completed'], 1]);
    const refund = { amount: '9.00', reason: '', line_items: [] };
    const cause = { process_id: 'proc_person', depth: 0, author: 'ada' } as const;
    const input = { order_id: id, refund, key: null, cause };
    const made = await deps.bus.request('shop.refund.create.v1', input, { timeout: 20_000 });
    expect([made.created, made.refund.amount, shop.server.refundsOf(id).length]).toEqual([true, '9.00', 1]);
    // A second one of the same amount is another one, and its lost answer does not find the first.
    sent.clear();
    const next = await deps.bus.request('shop.refund.create.v1', input, { timeout: 20_000 });
    expect(shop.server.refundsOf(id)).toHaveLength(2);
    expect(next.refund.id).not.toBe(made.refund.id);
  });

  /** https://make.wordpress.org/core/2015/04/02/the-utf8mb4-upgrade/, https://core.trac.wordpress.org/ticket/21212 */
  test('a database that takes no emoji: what it dropped has failed, and all else is done, once', async () => {
    const id = newOrder({ meta_data: [{ key: 'remark', value: 'old' }] });
    shop.server.features.takesEmoji = false;
    const field = (key: string, value: string) => ({ kind: 'set_meta', key, value }) as const;
    const twice = [field('twice', 'a'), field('twice', 'b')];
    const commands = [
      completed,
      field('remark', 'new 😀'),
      field('plain', 'é'),
      { kind: 'add_tag', tag: '😀' } as const,
    ];
    expect(await run(id, ...commands, ...twice, said('own 😀'), said('own note'))).toEqual([
      'applied',
      'applied',
      'failed',
      'applied',
      'failed',
      'applied',
      'applied',
      'failed',
      'applied',
    ]);
    const values = new Map(shop.server.orders.get(id)?.meta_data.map(({ key, value }) => [key, value]));
    expect(['remark', 'plain', 'twice', '_order_tags'].map((key) => values.get(key))).toEqual([
      'old',
      'é',
      'b',
      undefined,
    ]);
    expect(String(values.get('_order_automation_applied'))).toContain('\\ud83d\\ude00');
    expect([moves(id), own(id).length]).toEqual([['completed'], 1]);
    // Back to what it was is no loss.
    const back = step(`back-${id}`, id, null, field('twice', 'c'), field('twice', 'b'));
    expect((await applySteps(deps.bus, [back]))[0]).toMatchObject({
      results: [{ status: 'applied' }, { status: 'applied' }],
    });
  });

  /** https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-order.php: save() stores the order, then acts on its status. */
  test('a plugin of the shop fails when the order is saved: the status is there, the e-mails and the stock may not be', async () => {
    const id = newOrder();
    const reply = problem(500, 'internal_server_error', 'There has been a critical error on this website.');
    shop.server.fault = (call) => {
      if (call.method !== 'PUT') return undefined;
      answerOf(call, shop.server);
      return { reply };
    };
    const [answer] = await applySteps(deps.bus, [step(`odd-${id}`, id, null, completed, said('own note'))]);
    expect([moves(id), own(id).length]).toEqual([['completed'], 1]);
    expect(answer && 'results' in answer ? answer.results : []).toMatchObject([
      { status: 'applied', message: expect.stringContaining('failed while it did this') },
      { status: 'applied', message: 'A note was added.' },
    ]);
  });

  /** class-wc-rest-orders-v2-controller.php: '-' . wc_format_decimal( $refund->get_amount() ); seen with WooCommerce 10.5.2 while a refund is deleted. */
  test('a refund without an amount: its order is read and acted on, its other refunds are listed, and it fires nothing', async () => {
    const id = newOrder({ total: '49.00' });
    await get(id);
    const known = shop.server.addRefund(id, { amount: '5.00' });
    const unknown = shop.server.addRefund(id, { amount: '9.00' });
    shop.server.withoutAmount(id, Number(unknown?.id));
    expect(await get(id)).toEqual([id]);
    expect(await run(id, completed)).toEqual(['applied', 'applied']);
    const { refunds } = await deps.bus.request('shop.refund.list.v1', { order_id: id }, { timeout: 20_000 });
    expect(refunds).toMatchObject([{ id: known?.id, amount: '5.00' }]);
    const fired = () => shop.refunds.filter(({ order_id }) => order_id === id).map(({ refund_id }) => refund_id);
    await waitFor(() => fired().length > 0);
    expect(new Set(fired())).toEqual(new Set([known?.id]));
  });

  /** wc-order-functions.php, wc_create_refund: the refund is saved, then the gateway is asked; declined, it is deleted. Seen with WooCommerce 10.5.2. */
  test('a refund that a gateway is still asked for fires nothing: once it is paid it does, declined it never does', async () => {
    const id = newOrder({ total: '49.00' });
    const fired = () => shop.refunds.filter(({ order_id }) => order_id === id).map(({ refund_id }) => refund_id);
    await get(id);
    await waitFor(() => published(id) > 0);
    deps.clock.advance(5_000);
    const declined = shop.server.beginRefund(id, '5.00');
    expect(await run(id, said('own note'))).toEqual(['applied', 'applied']);
    declined.declined();
    const paid = shop.server.beginRefund(id, '9.00');
    await get(id);
    // Takes the lease of the order, after the look that the read has begun.
    await applySteps(deps.bus, [step(`paid-${id}`, id, null, said('own note'))]);
    expect(fired()).toEqual([]);
    deps.clock.advance(5_000);
    paid.paid();
    await get(id);
    await waitFor(() => fired().length > 0);
    expect(new Set(fired())).toEqual(new Set([paid.id]));
  });

  /** wc-order-functions.php of WooCommerce 6.6, wc_create_refund: nothing touches the order, so no list of what was modified has it. */
  test('a part refund of an order that nothing touches is published once no gateway can be asked for it any more', async () => {
    const id = newOrder({ total: '49.00' });
    const fired = () => shop.refunds.filter(({ order_id }) => order_id === id).map(({ refund_id }) => refund_id);
    await get(id);
    await waitFor(() => published(id) > 0);
    deps.clock.advance(5_000);
    const refund = shop.server.beginRefund(id, '9.00');
    await get(id);
    await applySteps(deps.bus, [step(`untouched-${id}`, id, null, said('own note'))]);
    deps.clock.advance(5_000);
    const later = newOrder();
    deps.clock.advance(65_000);
    await waitFor(() => published(later) > 0);
    expect(fired()).toEqual([]);
    deps.clock.advance(120_000);
    await waitFor(() => fired().length > 0, { timeout: 10_000 });
    expect(new Set(fired())).toEqual(new Set([refund.id]));
  });

  /** https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/src/Internal/DataStores/CustomMetaDataStore.php: no ORDER BY. */
  test('a field that an order has twice is set once: a later rule finds the same row', async () => {
    const id = newOrder();
    const [red, blue] = ['red', 'blue'].map((value) => ({ id: shop.server.nextId(), key: 'colour', value }));
    if (red && blue) shop.server.orders.get(id)?.meta_data.push(blue, red);
    const set = { kind: 'set_meta', key: 'colour', value: 'white' } as const;
    expect(await run(id, set)).toEqual(['applied', 'applied']);
    const [answer] = await applySteps(deps.bus, [step(`again-${id}`, id, null, set)]);
    expect(answer && 'results' in answer ? answer.results : []).toMatchObject([{ status: 'unchanged' }]);
    const rows = shop.server.orders.get(id)?.meta_data.filter(({ key }) => key === 'colour');
    expect(rows).toEqual([blue, { ...red, value: 'white' }]);
  });

  /** https://developer.wordpress.org/reference/functions/register_post_status: a status is there from the request on in which its plugin is. */
  test('a status of a plugin that was switched on just now: its orders are listed', async () => {
    expect((await list({ status: 'packed' })).orders).toEqual([]);
    shop.server.statuses.packed = 'Packed';
    const id = newOrder({ status: 'packed' });
    expect((await list({ status: 'wc-packed' })).orders.map((one) => one.id)).toEqual([id]);
  });

  test('a note on an order that a cache shows as it was: what was seen since is no news again', async () => {
    const id = newOrder({ status: 'pending' });
    await look();
    await waitFor(() => published(id) === 2);
    const old = structuredClone(shop.server.orders.get(id));
    deps.clock.advance(2_000);
    shop.server.putOrder(id, { status: 'processing' });
    await get(id);
    await waitFor(() => published(id) === 3);
    shop.server.fault = ({ method, query }) =>
      method === 'GET' && query.get('include')?.includes(`${id}`) ? { reply: { status: 200, body: [old] } } : undefined;
    expect(await run(id, said('own note'))).toEqual(['applied', 'applied']);
    shop.server.fault = () => undefined;
    await look();
    await look();
    expect(published(id)).toBe(3);
  });

  /** https://www.php.net/manual/en/function.header.php: "headers already sent" */
  test('what PHP prints makes every status 200 and takes the headers: refusals are refusals, orders are counted', async () => {
    shop.server.before =
      '<br />\n<b>Warning</b>: Undefined array key [0] in <b>/srv/x.php</b> on line <b>12</b><br />\n';
    const [id] = [newOrder({ customer_id: 901 }), newOrder({ customer_id: 901, status: 'completed' })];
    expect(await get(4_000_001)).toEqual([]);
    expect(await run(4_000_002, completed)).toEqual(['missing']);
    expect(await run(id, { ...completed, status: 'no-such-status' }, said('own note'))).toEqual([
      'applied',
      'failed',
      'applied',
    ]);
    const customers = [{ order_id: id, customer_id: 901, email: '' }];
    expect((await deps.bus.request('shop.customer.facts.v1', { customers })).facts).toMatchObject([{ order_count: 1 }]);
  });

  /** "Requests to WooCommerce API on a simply.com hosted webshop": https://github.com/XiaoFaye/WooCommerce.NET/issues/810 */
  test('a hosting refuses what does not say who calls: we say it', async () => {
    const { get: plainGet } = await import('node:http');
    const anonymous = await new Promise((resolve) => plainGet(`${shop.server.url}/wp-json/`, resolve));
    expect(anonymous).toMatchObject({ statusCode: 455 });
    const id = newOrder();
    expect(await get(id)).toEqual([id]);
  });

  test('X-WP-Total is 0 beside orders: they are counted', async () => {
    const id = newOrder({ customer_id: 902 });
    for (let at = 0; at < 3; at += 1) newOrder({ customer_id: 902, status: 'completed' });
    shop.server.features.countsOrders = false;
    const customers = [{ order_id: id, customer_id: 902, email: '' }];
    expect((await deps.bus.request('shop.customer.facts.v1', { customers })).facts).toMatchObject([{ order_count: 3 }]);
  });

  test('a report of totals that is too slow: orders are read, also by a shop that has never seen it', async () => {
    const slow = { status: 504, body: '' };
    const id = newOrder();
    deps.clock.advance(6 * 60_000);
    always(/reports\/orders\/totals/, () => slow);
    expect(await get(id)).toEqual([id]);
    const fresh = await lane.deps();
    const server = await startWooCommerce({ now: fresh.clock.now });
    server.putOrder(1, { status: 'processing' });
    server.fault = ({ path }) => (path.includes('totals') ? { reply: slow } : undefined);
    const other = await startWooCommerceShop(fresh, server);
    const { orders } = await fresh.bus.request('shop.order.get.v1', { ids: [1] }, { timeout: 20_000 });
    expect(orders).toHaveLength(1);
    await other.close();
  }, 30_000);

  test('an order of 17 MB keeps no other from being read, listed and found by the watch', async () => {
    const [large, id] = [newOrder(huge), newOrder()];
    expect(await get(large, id)).toEqual([id]);
    expect((await list()).orders.map((one) => one.id)).toContain(id);
    await look();
    await waitFor(() => published(id) === 2, { timeout: 20_000 });
    expect(await run(id, completed)).toEqual(['applied', 'applied']);
    shop.server.orders.delete(large);
  }, 60_000);

  test('forty orders of 500 KB are read together', async () => {
    const ids = Array.from({ length: 40 }, () =>
      newOrder({ meta_data: [{ key: '_log', value: 'x'.repeat(500_000) }] }),
    );
    expect(await get(...ids)).toHaveLength(40);
    for (const id of ids) shop.server.orders.delete(id);
  }, 60_000);

  test('an order that WordPress cannot encode keeps no other from being listed and found by its payment', async () => {
    shop.server.features.searchesTransactions = true;
    const broken = newOrder({ billing: { last_name: 'pi_odd' }, meta_data: [{ key: '_rate', value: Number.NaN }] });
    const id = newOrder({ transaction_id: 'pi_odd' });
    expect((await list()).orders.map((one) => one.id)).toContain(id);
    expect(await get(broken, id)).toEqual([id]);
    const reference = { order_id: null, gateway_ids: [], transaction_id: 'pi_odd' };
    const { matches } = await deps.bus.request('shop.order.resolve.v1', { references: [reference] } as never);
    expect(matches).toMatchObject([{ order_id: id }]);
    shop.server.orders.delete(broken);
  });

  /** https://woocommerce.github.io/code-reference/hooks/hooks.html, `woocommerce_rest_prepare_shop_order_object`: one error of PHP in it, and the whole list is a 500. */
  test.each(['between others', 'newest'])(
    'an order on which a plugin fails while it is shown (%s) keeps no other from being listed, found by the watch and changed',
    async (place) => {
      const older = newOrder({ transaction_id: 'pi_beside' });
      const poison = newOrder();
      const newer = place === 'newest' ? older : newOrder();
      shop.server.poisoned.add(poison);
      const listed = (await list()).orders.map(({ id }) => id);
      expect([listed.includes(poison), listed.includes(older), listed.includes(newer)]).toEqual([false, true, true]);
      await look();
      await waitFor(() => published(older) === 2 && published(newer) === 2, { timeout: 20_000 });
      expect(await run(newer, completed)).toEqual(['applied', 'applied']);
      await expect(get(poison)).rejects.toThrow('other requests work');
      expect(await get(older)).toEqual([older]);
      expect(await shop.service.problems?.()).toEqual([]);
      shop.server.poisoned.delete(poison);
    },
    60_000,
  );

  /** The same of `woocommerce_rest_prepare_product_object` and its variations. */
  test('a product on which a plugin fails is one of which nothing is known; its orders are read, and it is asked for again', async () => {
    shop.server.products.push({ id: 720, name: 'Kit', type: 'variable', categories: [{ id: 9 }], tags: [] });
    shop.server.variations.push({ id: 721, name: 'Kit, red', type: 'variation', parent_id: 720, virtual: true });
    const line = { id: 1, product_id: 720, variation_id: 721, quantity: 1, total: '5.00' };
    const id = newOrder({ line_items: [line] });
    const products = async () =>
      (await deps.bus.request('shop.order.get.v1', { ids: [id] }, { timeout: 20_000 })).orders[0]?.products;
    for (const [poison, others] of [
      [720, []],
      [721, [{ id: 720, category_ids: [9] }]],
    ] as const) {
      shop.server.poisoned.add(poison);
      const failed = { id: poison, unreadable: expect.stringMatching(/other requests work\.$/) };
      expect(await products()).toMatchObject([...others, failed]);
      shop.server.poisoned.delete(poison);
    }
    expect(await products()).toMatchObject([
      { id: 720, category_ids: [9] },
      { id: 721, virtual: true },
    ]);
    expect((await products())?.every(({ unreadable }) => unreadable === undefined)).toBe(true);
  });

  /** class-wc-rest-order-refunds-v2-controller.php, prepare_object_for_database: fields are written after wc_create_refund and its hooks. */
  test('a plugin fails on a refund before it has our mark: a repeat under its key finds it, and what somebody refunds besides does not count', async () => {
    const id = newOrder();
    const input = {
      order_id: id,
      refund: { amount: '5.00', reason: 'late', line_items: [] },
      key: `refund-${id}`,
      cause: { process_id: 'proc_person', depth: 0, author: 'ada' },
    };
    const refund = () => deps.bus.request('shop.refund.create.v1', input, { timeout: 20_000 });
    shop.server.addRefund(id, { amount: '5.00', reason: 'late' });
    shop.server.fault = (call) => {
      if (call.method !== 'POST') return undefined;
      answerOf({ ...call, body: { ...call.body, meta_data: [] } }, shop.server);
      return { reply: problem(500, 'internal_server_error', 'A critical error.') };
    };
    const { created, refund: made } = await refund();
    shop.server.fault = () => undefined;
    shop.server.addRefund(id, { amount: '5.00', reason: 'a clerk' });
    expect([created, await refund()]).toEqual([true, { created: false, refund: made }]);
    expect(shop.server.refundsOf(id)).toHaveLength(3);
  });

  test('a note that the database does not take, and a change that a plugin refuses: failed, the others are done', async () => {
    const id = newOrder();
    always(/^PUT/, () => ({ status: 500, body: { code: 'order_locked', message: 'Locked.', data: null } }));
    const commands = [completed, said(`own ${'x'.repeat(66_000)}`), said('own plain')];
    expect(await run(id, ...commands)).toEqual(['applied', 'failed', 'failed', 'applied']);
    expect(own(id).map(({ note }) => note.slice(0, 9))).toEqual(['own plain']);
  });

  /** https://developer.wordpress.org/reference/hooks/rest_pre_insert_this-post_type/: a plugin answers with an error of its own, whatever its status. */
  test.each([401, 403])(
    'a plugin refuses one order by %s: its action fails with the words, the shop can be used',
    async (status) => {
      const id = newOrder();
      const refused = problem(status, 'credit_check_failed', 'The credit check refuses this order.');
      always(new RegExp(`^PUT wc/v3/orders/${id}$`), () => refused);
      const [answer] = await applySteps(deps.bus, [step(`veto-${id}`, id, null, completed, said('own note'))]);
      expect(answer && 'results' in answer ? answer.results : answer).toMatchObject([
        { status: 'failed', message: 'WooCommerce refused it: The credit check refuses this order.' },
        { status: 'applied' },
      ]);
      expect(await shop.service.problems?.()).toEqual([]);
    },
  );

  /** https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/wc-rest-functions.php: the filter `woocommerce_rest_check_permissions`. */
  test('a plugin takes one order from the key: its changes fail, it is left out, others are found, the shop can be used', async () => {
    const [id, other] = [newOrder(), newOrder()];
    const said = 'Sorry, you are not allowed to edit this resource.';
    always(new RegExp(`^PUT wc/v3/orders/${id}$`), () => problem(403, 'woocommerce_rest_cannot_edit', said));
    expect(await run(id, completed)).toEqual(['applied', 'failed']);
    shop.server.otherKinds.add(id);
    const hidden = problem(403, 'woocommerce_rest_cannot_view', 'Sorry, you cannot view this resource.');
    always(new RegExp(`^GET wc/v3/orders/${id}$`), () => hidden);
    expect(await get(id, other)).toEqual([other]);
    await expect(get(id)).rejects.toThrow('you cannot view');
    const references = [id, other].map((one) => ({ order_id: String(one), gateway_ids: [], transaction_id: null }));
    const { matches } = await deps.bus.request('shop.order.resolve.v1', { references } as never);
    expect(matches).toMatchObject([null, { order_id: other }]);
    expect(await shop.service.problems?.()).toEqual([]);
    shop.server.orders.delete(id);
  });

  test('a plugin refuses every change by 403: the shop cannot be used, and the step is asked for again', async () => {
    always(/^PUT/, () => problem(403, 'rest_read_only', 'The shop is read only.'));
    expect(await run(newOrder(), completed)).toEqual(['unavailable']);
    expect(((await shop.service.problems?.()) ?? []).join()).toContain('A plugin of the shop refuses the request');
    shop.server.fault = () => undefined;
    deps.clock.advance(60_000);
  });

  test('a plugin keeps the status that an order had: the action fails, and nothing is taken for a change', async () => {
    const id = newOrder();
    await look();
    await waitFor(() => published(id) === 2);
    always(/^PUT/, ({ body: { meta_data } }) => ({ status: 200, body: shop.server.putOrder(id, { meta_data }) }));
    expect(await run(id, completed, said('own note'))).toEqual(['applied', 'failed', 'applied']);
    await look();
    await look();
    expect(published(id)).toBe(2);
  });

  /** WC_Stripe_Order_Handler::capture_payment() sets an order to failed whose authorized charge it cannot capture as the order is completed. */
  test('a plugin moves the order on while it is saved: the entry says so', async () => {
    const id = newOrder({ status: 'on-hold' });
    const failing = { status: 'failed' };
    always(/^PUT/, ({ body }) => ({ status: 200, body: shop.server.putOrder(id, { ...body, ...failing }) }));
    const [answer] = await applySteps(deps.bus, [step(`odd-${id}`, id, null, completed)]);
    expect(answer && 'results' in answer ? answer.results : []).toMatchObject([
      { status: 'applied', message: expect.stringContaining('from on-hold to failed. It was set to completed') },
    ]);
  });

  /** https://developer.wordpress.org/reference/classes/wpdb/process_field_lengths/: a post is not stored with a value that its column cuts. */
  test('a status that is too long for a post: the action fails', async () => {
    const fresh = await lane.deps();
    const server = await startWooCommerce({ now: fresh.clock.now, site: { tables: 'old' } });
    server.statuses['waiting-for-supplier'] = 'Waiting for supplier';
    server.putOrder(1, { status: 'processing' });
    const other = await startWooCommerceShop(fresh, server);
    const [answer] = await applySteps(fresh.bus, [
      step('post', 1, null, { ...completed, status: 'waiting-for-suppl' }),
    ]);
    expect(answer && 'results' in answer ? answer.results : []).toMatchObject([
      { status: 'failed', message: expect.stringContaining('shows the order as it was') },
    ]);
    await other.close();
  });

  /** https://www.php.net/manual/en/json.constants.php, JSON_ERROR_UTF16: WordPress refuses such a body (rest_invalid_json). */
  test('half of an emoji, where a text was cut, reaches the shop as a character', async () => {
    const id = newOrder();
    expect(await run(id, said('own \ud83d'))).toEqual(['applied', 'applied']);
    expect(own(id)[0]?.note).toContain('own \ufffd');
  });

  test('JSON of another program is no answer of WooCommerce', async () => {
    always(/./, () => ({ status: 200, body: { ok: true } }));
    await expect(get(newOrder())).rejects.toThrow('something that is no list');
    shop.server.fault = () => undefined;
    await waitFor(() =>
      get(next).then(
        () => true,
        () => deps.clock.advance(2_000),
      ),
    );
  });

  test.each([
    ['flags in words, and none', { virtual: 'yes', downloadable: null }],
    ['no name and no type', { name: null, type: null }],
    ['a category without an id', { categories: [{ name: 'x' }] }],
  ])('a product of a plugin with %s keeps no order from being read', async (_what, fields) => {
    const id = newOrder({ line_items: [{ id: 1, product_id: next + 90_000, quantity: 1, total: '5.00' }] });
    const product = { name: 'Cup', type: 'simple', categories: [], tags: [], virtual: false, downloadable: false };
    shop.server.products.push({ ...product, id: id - 1 + 90_000, status: 'publish', ...fields });
    expect(await get(id)).toEqual([id]);
  });
});
