import type { OrderReference } from '@order-automation/contracts';
import { type Lane, type LaneDeps, waitFor } from '@order-automation/testing';
import type { KeyedCommand } from '../src/orders/commands';
import { lookupCases, lookupOrders } from './order-lookup-cases';
import { previewContract } from './preview-contract';
import { refundContract } from './refund-contract';
import { apply, applySteps, note, type Running, save, status, step, view } from './shop';

/** A shop of one connector: its orders can be put there from outside, as customers and clerks do. */
export type ContractShop = Running & {
  put(id: number, fields: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
};

const noReference: OrderReference = { gateway_ids: [], order_id: null, transaction_id: null };

/** What every connector owes the service (`src/connector.ts`). The shop has the catalogue of `woocommerce.ts`. */
export function connectorContract(lane: Lane, start: (deps: LaneDeps) => Promise<ContractShop>): void {
  let deps: LaneDeps;
  let shop: ContractShop;
  let next = 2_000;
  /** The stand-in for MongoDB takes its time for each step. */
  const isEmbedded = lane.name === 'embedded';
  const newOrder = async (fields: Record<string, unknown> = {}): Promise<number> => {
    next += 1;
    await shop.put(next, { status: 'processing', ...fields });
    return next;
  };
  const resolve = (references: Partial<OrderReference>[]) =>
    deps.bus.request('shop.order.resolve.v1', { references: references.map((one) => ({ ...noReference, ...one })) });
  const list = async (input: Record<string, unknown>) => {
    const found = await deps.bus.request('shop.order.list.v1', { page: 1, per_page: 20, ...input });
    return [found.orders.map(({ id }) => id), found.pagination.total];
  };
  const search = async (source: string, text: string) =>
    (await deps.bus.request('shop.search.v1', { source: source as 'products', search: text, limit: 10 })).results;

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await start(deps);
  });
  afterAll(() => shop?.close());

  refundContract({ shop: () => shop, newOrder });
  previewContract({ shop: () => shop, newOrder });

  test('an order is shown in one form: decimal text, dates in UTC, products with their terms', async () => {
    const id = await newOrder({
      total: '49.90',
      currency: 'EUR',
      line_items: [{ id: 1, name: 'Green tea', product_id: 501, quantity: 2, total: '49.90', price: 24.95 }],
      billing: { first_name: 'Ada', email: 'ada@shop.example' },
    });
    const { orders } = await deps.bus.request('shop.order.get.v1', { ids: [id, 999_999] });
    expect(orders).toHaveLength(1);
    expect(orders[0]?.order).toMatchObject({
      id,
      number: String(id),
      status: 'processing',
      total: '49.90',
      currency: 'EUR',
    });
    const created = Date.parse(orders[0]?.order.date_created ?? '');
    expect(Math.abs(created - Date.now())).toBeLessThan(60_000);
    expect(orders[0]?.products).toMatchObject([{ id: 501, type: 'simple', category_ids: [12], tag_ids: [21] }]);
  });

  test('a variation has flags of its own, and the type, categories and tags of its product', async () => {
    const id = await newOrder({ line_items: [{ product_id: 502, variation_id: 503, quantity: 1, total: '9.00' }] });
    const [found] = (await deps.bus.request('shop.order.get.v1', { ids: [id] })).orders;
    const own = { type: 'variable', category_ids: [12], tag_ids: [21], virtual: false, downloadable: true };
    expect(found?.products.find(({ id }) => id === 503)).toMatchObject(own);
    expect(found?.products.find(({ id }) => id === 502)).toMatchObject({ virtual: true, downloadable: false });
  });

  test('it says in bulk which products, categories and tags it does not have', async () => {
    const { missing } = await deps.bus.request('shop.record.known.v1', {
      products: ['501', '999998', '502', '503', 'tea'],
      categories: ['12', '999998'],
      product_tags: ['999998', '21'],
    });
    expect(missing).toEqual({ products: ['999998', 'tea'], categories: ['999998'], product_tags: ['999998'] });
    const none = { products: [], categories: [], product_tags: [] };
    expect(await deps.bus.request('shop.record.known.v1', none)).toEqual({ missing: none });
  });

  test('a command happens once by its key, whatever came between, and a repeat gets the first result', async () => {
    const id = await newOrder();
    const first = await apply(deps.bus, [note('twice-n', id, 'first text'), status('twice-s', id)]);
    expect(first.map((result) => result.status)).toEqual(['applied', 'applied']);
    await shop.put(id, { status: 'processing' });
    const again = await apply(deps.bus, [note('twice-n', id, 'second text'), status('twice-s', id)]);
    expect(again.map((result) => [result.status, result.changes[0], result.message])).toEqual(
      first.map((result) => ['already_applied', result.changes[0], result.message]),
    );
    expect((await view(deps.bus, id)).status).toBe('processing');
    const texts = (await view(deps.bus, id)).notes.map((one) => one.note);
    expect(texts.filter((text) => text.endsWith(' text'))).toEqual(['first text']);
  });

  test('one key twice in a batch, a status that is none, the status that is', async () => {
    const id = await newOrder();
    const results = await apply(deps.bus, [
      note('dup', id),
      note('dup', id),
      status('odd', id, 'bogus'),
      status('same', id, 'wc-processing'),
    ]);
    expect(results.map((result) => result.status)).toEqual(['applied', 'already_applied', 'failed', 'unchanged']);
    expect((await view(deps.bus, id)).status).toBe('processing');
  });

  const toCompleted = { kind: 'set_status', status: 'completed', send_emails: false, update_stock: false } as const;
  const text = (words: string) => ({ kind: 'add_note', note: words, customer_note: false }) as const;
  const tag = (name: string) => ({ kind: 'add_tag', tag: name }) as const;
  const revisionNow = async (id: number): Promise<string> => {
    const { orders } = await deps.bus.request('shop.order.get.v1', { ids: [id] });
    const { revision } = orders[0] ?? {};
    if (revision === undefined) throw new Error(`order ${id} has no revision`);
    return revision;
  };
  const notesOf = async (id: number) => (await view(deps.bus, id)).notes.map((one) => one.note);

  test('a step is carried out as a whole, once by its key, and a repeat gets the first results', async () => {
    const id = await newOrder();
    const commands = [toCompleted, text('done'), tag('vip'), { kind: 'set_meta', key: 'size', value: 'L' } as const];
    const first = await applySteps(deps.bus, [step(`whole-${id}`, id, await revisionNow(id), ...commands)]);
    expect(first).toMatchObject([
      { kind: 'applied', process_id: 'proc_1', context: { order: { status: 'completed' } } },
    ]);
    const results = first.flatMap((one) => ('results' in one ? one.results : []));
    expect(results.map(({ status: done }) => done)).toEqual(['applied', 'applied', 'applied', 'applied']);
    const again = await applySteps(deps.bus, [step(`whole-${id}`, id, 'another', ...commands)]);
    expect(again).toMatchObject([{ kind: 'repeated', process_id: 'proc_1' }]);
    const repeated = again.flatMap((one) => ('results' in one ? one.results : []));
    expect(repeated.map(({ status: done, message }) => [done, message])).toEqual(
      results.map(({ message }) => ['already_applied', message]),
    );
    expect((await notesOf(id)).filter((one) => one === 'done')).toHaveLength(1);
    expect((await view(deps.bus, id)).tags).toEqual(['vip']);
  });

  test('a step that is repeated with one command more has a result for each, and does nothing twice', async () => {
    const id = await newOrder();
    await applySteps(deps.bus, [step(`more-${id}`, id, null, toCompleted, text('once'))]);
    const again = await applySteps(deps.bus, [step(`more-${id}`, id, null, toCompleted, text('once'), tag('late'))]);
    const results = again.flatMap((one) => ('results' in one ? one.results : []));
    expect(results).toHaveLength(3);
    for (const { status: done } of results) expect(done).toMatch(/applied$/);
    expect((await notesOf(id)).filter((one) => one === 'once')).toHaveLength(1);
    expect((await view(deps.bus, id)).tags).toEqual(['late']);
  });

  test('the change of a step is in its answer or published, and recorded the same way', async () => {
    const id = await newOrder();
    const [answer] = await applySteps(deps.bus, [step(`tell-step-${id}`, id, null, toCompleted)]);
    const said = answer && 'changes' in answer ? answer : { changes: [], entries: [] };
    const change = await waitFor(() =>
      [...said.changes, ...shop.changes.map(({ data }) => data)].find(
        (one) => one.order_id === id && one.kind === 'status_changed' && one.to === 'completed',
      ),
    );
    expect(change).toMatchObject({ from: 'processing', cause: { depth: 1, author: 'rule 7', process_id: 'proc_1' } });
    await waitFor(() =>
      [...said.entries, ...shop.entries].some(
        (one) => one.order_id === id && one.event_type === 'order_status_changed',
      ),
    );
  });

  test('of steps that were decided on one revision the first is carried out, whatever they change', async () => {
    const id = await newOrder();
    const decided = await revisionNow(id);
    const steps = ['a', 'b', 'c'].map((name) => step(`${name}-${id}`, id, decided, tag(name), text(name)));
    const answers = (await Promise.all(steps.map((one) => applySteps(deps.bus, [one])))).flat();
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['applied', 'stale', 'stale']);
    const stale = answers.find(({ kind }) => kind === 'stale');
    const current = stale && 'context' in stale ? (stale.context.revision ?? null) : null;
    expect(current).toBe(await revisionNow(id));
    expect((await view(deps.bus, id)).tags).toHaveLength(1);
    expect((await notesOf(id)).filter((one) => ['a', 'b', 'c'].includes(one))).toHaveLength(1);
    const lost = steps.filter((_, index) => answers[index]?.kind === 'stale').slice(0, 1);
    const again = await applySteps(
      deps.bus,
      lost.map((one) => ({ ...one, revision: current })),
    );
    expect(again.map(({ kind }) => kind)).toEqual(['applied']);
  });

  test('the status that was wanted is there already: a step of another revision is stale all the same', async () => {
    const id = await newOrder();
    const decided = await revisionNow(id);
    const both = [step(`x-${id}`, id, decided, toCompleted), step(`y-${id}`, id, decided, toCompleted, text('y'))];
    expect((await applySteps(deps.bus, both)).map(({ kind }) => kind)).toEqual(['applied', 'stale']);
  });

  test('a step about an unknown order is missing, and the others of its batch are carried out', async () => {
    const id = await newOrder();
    const steps = [step(`lost-${id}`, 999_999, null, tag('x')), step(`found-${id}`, id, null, tag('x'))];
    expect((await applySteps(deps.bus, steps)).map(({ kind }) => kind)).toEqual(['missing', 'applied']);
  });

  test('an order remembers its steps and notes, however many there are', async () => {
    const id = await newOrder();
    const count = isEmbedded ? 70 : 25;
    const steps = Array.from({ length: count }, (_, index) =>
      step(`many-${id}-${index}`, id, null, text(`note ${index}`)),
    );
    for (const one of steps) await applySteps(deps.bus, [one]);
    const again = await applySteps(deps.bus, steps);
    expect(new Set(again.map(({ kind }) => kind))).toEqual(new Set(['repeated']));
    const texts = (await notesOf(id)).filter((one) => one.startsWith('note '));
    expect(texts).toEqual(steps.map((_, index) => `note ${count - 1 - index}`));
  });

  test('commands of one order run in sequence, and the order after all of them is returned', async () => {
    const id = await newOrder();
    const commands = [{ ...toCompleted, status: 'on-hold' }, toCompleted, text('after both')];
    const [answer] = await applySteps(deps.bus, [step(`seq-${id}`, id, null, ...commands)]);
    const { results, context } = answer?.kind === 'applied' ? answer : { results: [], context: undefined };
    expect(results.flatMap(({ changes }) => changes.filter(({ field }) => field === 'status'))).toEqual([
      { field: 'status', from: 'processing', to: 'on-hold' },
      { field: 'status', from: 'on-hold', to: 'completed' },
    ]);
    expect(context?.order).toMatchObject({ id, status: 'completed', date_completed: expect.stringMatching(/Z$/) });
  });

  test('nothing acts on an order in the trash, and each command says so', async () => {
    const id = await newOrder({ status: 'trash' });
    const commands = [toCompleted, text('from the trash'), tag('vip')];
    const [answer] = await applySteps(deps.bus, [step(`trash-${id}`, id, null, ...commands)]);
    const results = answer && 'results' in answer ? answer.results : [];
    expect(results.map(({ status: done, message }) => [done, message])).toEqual(
      commands.map(() => ['failed', expect.stringContaining('is in the trash')]),
    );
    const { status: now, tags } = await view(deps.bus, id);
    expect([now, tags ?? [], await notesOf(id)]).toEqual(['trash', [], []]);
  });

  test('a meta field and a tag are set once, and nothing else of the order changes', async () => {
    const id = await newOrder({ meta_data: [{ key: 'colour', value: 'red' }] });
    const of = (key: string, command: KeyedCommand['command']): KeyedCommand => ({
      ...note(`${key}-${id}`, id),
      command,
    });
    const results = await apply(deps.bus, [
      of('meta-1', { kind: 'set_meta', key: 'colour', value: 'blue' }),
      of('meta-2', { kind: 'set_meta', key: 'size', value: 'L' }),
      of('meta-3', { kind: 'set_meta', key: 'size', value: 'L' }),
      of('tag-1', { kind: 'add_tag', tag: 'vip' }),
      of('tag-2', { kind: 'add_tag', tag: 'vip' }),
      of('tag-3', { kind: 'add_tag', tag: 'wholesale' }),
    ]);
    expect(results.map((result) => [result.status, result.changes])).toEqual([
      ['applied', [{ field: 'meta_data.colour', from: 'red', to: 'blue' }]],
      ['applied', [{ field: 'meta_data.size', from: null, to: 'L' }]],
      ['unchanged', []],
      ['applied', [{ field: 'tags', from: null, to: 'vip' }]],
      ['unchanged', []],
      ['applied', [{ field: 'tags', from: null, to: 'wholesale' }]],
    ]);
    const { meta_data, tags, status: now } = await view(deps.bus, id);
    const plain = meta_data.filter(({ key }) => !key.startsWith('_')).map(({ key, value }) => [key, value]);
    expect([plain, tags, now]).toEqual([
      [
        ['colour', 'blue'],
        ['size', 'L'],
      ],
      ['vip', 'wholesale'],
      'processing',
    ]);
  });

  test('an order remembers its commands, however many there are', async () => {
    const id = await newOrder();
    const keys = Array.from({ length: isEmbedded ? 45 : 24 }, (_, index) => `long-${id}-${index}`);
    for (const [index, key] of keys.entries())
      await apply(deps.bus, [status(key, id, index % 2 ? 'on-hold' : 'processing')]);
    const results = await apply(
      deps.bus,
      keys.map((key) => status(key, id, 'failed')),
    );
    expect(new Set(results.map((result) => result.status))).toEqual(new Set(['already_applied']));
    const order = await view(deps.bus, id);
    expect(order.status).not.toBe('failed');
    expect(JSON.stringify(order.meta_data).length).toBeLessThan(10_000);
  });

  test('a change is published and recorded once, and again while nobody reports it done', async () => {
    const id = await newOrder();
    await save(deps.bus, id, { status: 'completed' });
    const mine = () => shop.changes.filter(({ data }) => data.order_id === id && data.to === 'completed');
    const change = await waitFor(() => mine()[0]?.data);
    expect(change).toMatchObject({ kind: 'status_changed', from: 'processing', cause: { depth: 0, author: 'ada' } });
    const entries = () =>
      shop.entries.filter(({ order_id, event_type }) => order_id === id && event_type === 'order_status_changed');
    await waitFor(() => entries().length > 0);
    deps.clock.advance(6_000);
    await waitFor(() => mine().length > 1);
    expect(new Set(mine().map(({ id: messageId }) => messageId))).toEqual(new Set([change.change_id]));
    expect(new Set(entries().map(({ uid }) => uid)).size).toBe(1);
  });

  describe('the order that an event names', () => {
    beforeAll(async () => {
      for (const { id, ...fields } of lookupOrders) await shop.put(id, fields);
      // WooCommerce cannot be asked for the ids of gateways: orders are found by what was seen on them.
      await deps.bus.request('shop.order.get.v1', { ids: lookupOrders.map(({ id }) => id) });
    });

    test.each(lookupCases)('$name', async ({ reference, found, rejected }) => {
      const { matches, rejections = [], orders } = await resolve([{}, reference]);
      expect([
        matches[1]?.order_id,
        rejections.map((one) => [one.index, one.kind, one.orders.map(({ id }) => id)]),
      ]).toEqual([found, rejected ? [[1, ...rejected]] : []]);
      expect(orders.map(({ order }) => order.id).sort()).toEqual(found ? [found] : [...(rejected?.[1] ?? [])]);
    });
  });

  test('role and number of other orders of a customer, with an account and without one', async () => {
    const guest = { billing: { email: 'guest@shop.example', first_name: 'Guy' } };
    const [own] = [
      await newOrder({ customer_id: 31 }),
      await newOrder({ customer_id: 31, status: 'completed' }),
      await newOrder({ customer_id: 31, status: 'cancelled' }),
    ];
    const [of] = [
      await newOrder(guest),
      await newOrder(guest),
      await newOrder({ billing: { email: 'other-guest@shop.example' } }),
    ];
    const { facts } = await deps.bus.request('shop.customer.facts.v1', {
      customers: [
        { order_id: own, customer_id: 31, email: 'ada@shop.example' },
        { order_id: of, customer_id: 0, email: 'Guest@shop.example' },
      ],
    });
    expect(facts.map(({ order_count }) => order_count)).toEqual([1, 1]);
    expect(facts[1]?.role).toBe('guest');
  });

  test('orders are listed newest first and found by name, e-mail and id', async () => {
    const billing = { first_name: 'Zoe', last_name: 'Quickfind', email: 'zoe.quickfind@shop.example' };
    const [first, second] = [await newOrder({ billing }), await newOrder({ billing, status: 'on-hold' })];
    expect(await list({ search: 'zoe.quickfind@' })).toEqual([[second, first], 2]);
    expect(await list({ search: 'Quickfind', status: 'wc-on-hold' })).toEqual([[second], 1]);
    expect(await list({ search: String(first) })).toEqual([[first], 1]);
    const { orders, pagination } = await deps.bus.request('shop.order.list.v1', { page: 1, per_page: 2 });
    expect(orders.map(({ id }) => id)).toEqual([second, first]);
    expect(pagination).toMatchObject({ current_page: 1, has_next: true });
    const numbered = await newOrder({ number: 'SO-1042', transaction_id: 'pi_numbered' });
    await deps.bus.request('shop.order.get.v1', { ids: [numbered] });
    for (const search of ['SO-1042', '#SO-1042', 'pi_numbered'])
      expect(await list({ search })).toEqual([[numbered], 1]);
    expect(await list({ search: 'SO-1042', status: 'wc-trash' })).toEqual([[], 0]);
    // GET /v1/shop/orders: newest first, these alone, whatever else is asked.
    for (const ids of [
      [first, numbered, 999_999],
      [numbered, first],
    ])
      expect(await list({ ids, search: 'nobody', per_page: 1 })).toEqual([[numbered, first], 2]);
  });

  test('orders are listed by when they were created: both ends of the period count', async () => {
    const at = (time: string) => ({ date_created: `2024-02-${time}`, date_created_gmt: `2024-02-${time}` });
    const billing = { email: 'leap.year@shop.example' };
    const ids: number[] = [];
    for (const time of ['28T23:59:59', '29T00:00:00', '29T23:59:59', '29T12:00:00'])
      ids.push(await newOrder({ ...at(time), billing, ...(time === '29T12:00:00' && { transaction_id: 'pi_leap' }) }));
    await deps.bus.request('shop.order.get.v1', { ids });
    const day = { from: '2024-02-29T00:00:00.000Z', to: '2024-02-29T23:59:59.999Z' };
    const [before, midnight, last, noon] = ids;
    expect(await list(day)).toEqual([[noon, last, midnight], 3]);
    expect(await list({ ...day, search: 'leap.year@', status: 'processing' })).toEqual([[noon, last, midnight], 3]);
    expect(await list({ from: '2024-02-01T00:00:00.000Z', to: '2024-02-28T23:59:59.000Z' })).toEqual([[before], 1]);
    expect(await list({ to: '2024-02-28T23:59:59.999Z', search: 'pi_leap' })).toEqual([[], 0]);
    expect(await list({ from: day.from, search: 'pi_leap' })).toEqual([[noon], 1]);
  });

  test('a person changes an order: published as theirs; an order that is not there is refused or made', async () => {
    const id = await newOrder();
    const person = { process_id: 'proc_person', depth: 0, author: 'ada' };
    const saved = await deps.bus.request('shop.order.save.v1', { id, fields: { status: 'on-hold' }, cause: person });
    expect([saved.created, saved.order.status]).toEqual([false, 'on-hold']);
    const change = await waitFor(() => shop.changes.find(({ data }) => data.order_id === id && data.to === 'on-hold'));
    expect(change.data.cause.author).toBe('ada');
  });

  test.each([
    ['products', 'tea', ['501', '502'], { id: 501, title: 'Green tea', sku: 'TEA-1' }],
    ['products', '502', ['502'], { id: 502, title: 'Tea course', sku: 'TEA-2' }],
    ['products', 'TEA-1', ['501'], { id: 501 }],
    ['products', 'green-tea', ['501'], { id: 501 }],
    ['categories', 'te', ['12'], { id: 12, name: 'Tea', slug: 'tea' }],
    ['product_tags', '21', ['21'], { id: 21, name: 'Organic', slug: 'organic' }],
    ['users', 'shop', ['shop_manager'], { key: 'shop_manager' }],
    ['users', 'guest', ['guest'], { key: 'guest' }],
    ['order_statuses', 'on hold', ['wc-on-hold'], { key: 'wc-on-hold', name: 'On hold' }],
    ['order_statuses', 'completed', ['wc-completed'], { key: 'wc-completed', name: 'Completed' }],
    ['payment_methods', 'bank', ['bacs'], { id: 'bacs', enabled: expect.any(Boolean) }],
    ['shipping_methods', 'flat', ['flat_rate'], { id: 'flat_rate', title: 'Flat rate' }],
    ['products', 'no such thing', [], undefined],
  ])('%s that %p finds', async (source, text, values, meta) => {
    const results = await search(source, text);
    // WooCommerce shows the newest products first.
    expect(results.map(({ value }) => value).sort()).toEqual([...values].sort());
    if (meta) expect(results.find(({ value }) => value === values[0])?.meta).toMatchObject(meta);
  });
}
