import { type NewRefund, ServiceError } from '@order-automation/contracts';
import { waitFor } from '@order-automation/testing';
import type { ContractShop } from './connector-contract';
import { person, view } from './shop';

type Shop = { readonly shop: () => ContractShop; newOrder(fields?: Record<string, unknown>): Promise<number> };

const line = { id: 1, name: 'Green tea', product_id: 501, quantity: 2, total: '49.90', price: 24.95 };
const ofLines = { total: '49.90', currency: 'EUR', line_items: [line] };

/** What every connector owes about refunds. */
export function refundContract({ shop, newOrder }: Shop): void {
  const refund = (order_id: number, wanted: Partial<NewRefund>, key: string | null = null) =>
    shop().deps.bus.request(
      'shop.refund.create.v1',
      { order_id, refund: { reason: '', line_items: [], ...wanted }, key, cause: person },
      { timeout: 15_000 },
    );
  const list = async (order_id: number) =>
    (await shop().deps.bus.request('shop.refund.list.v1', { order_id }, { timeout: 10_000 })).refunds;
  const refusal = async (work: Promise<unknown>): Promise<ServiceError> => {
    const error = await work.catch((one: unknown) => one);
    if (!(error instanceof ServiceError)) throw new Error(`no refusal but ${JSON.stringify(error)}`);
    return error;
  };
  const published = (id: number) => shop().refunds.filter(({ order_id }) => order_id === id);
  const entries = (id: number) =>
    shop().entries.filter(({ order_id, event_type }) => order_id === id && event_type === 'refund_created');

  test('a refund in part: on the order, in the list, published and recorded once; the status stays', async () => {
    const id = await newOrder(ofLines);
    const { refund: made, created } = await refund(id, { amount: '10', reason: 'Arrived broken' });
    expect(created).toBe(true);
    expect(made).toMatchObject({ amount: '10.00', reason: 'Arrived broken', refunded_by: expect.any(Number) });
    expect(Math.abs(Date.parse(made.date_created ?? '') - shop().deps.clock.now())).toBeLessThan(60_000);
    expect(await list(id)).toEqual([made]);
    const order = await view(shop().deps.bus, id);
    expect(order.refunds).toMatchObject([{ id: made.id, reason: 'Arrived broken', total: '-10.00' }]);
    expect([order.status, order.total]).toEqual(['processing', '49.90']);
    const [change] = await waitFor(() => published(id).length > 0 && published(id));
    expect(change).toMatchObject({ refund_id: made.id, amount: '10.00', currency: 'EUR', cause: { author: 'ada' } });
    const [entry] = await waitFor(() => entries(id).length > 0 && entries(id));
    expect(entry?.summary).toContain('10.00 EUR of 49.90 EUR was recorded as refunded by ada');
    expect(shop().changes.filter(({ data }) => data.order_id === id && data.to === 'refunded')).toEqual([]);
  });

  test('the refund that leaves nothing sets the status refunded; no further one is taken', async () => {
    const id = await newOrder(ofLines);
    await refund(id, { amount: '20.40' });
    const more = await refusal(refund(id, { amount: '29.51' }));
    expect([more.status, JSON.stringify(more.data)]).toEqual([400, expect.stringContaining('must be at most 29.50')]);
    await refund(id, {
      line_items: [{ id: 1, quantity: 1, refund_total: '24.79', refund_tax: [{ id: 9, refund_total: '4.71' }] }],
    });
    expect((await view(shop().deps.bus, id)).status).toBe('refunded');
    const change = await waitFor(() =>
      shop().changes.find(({ data }) => data.order_id === id && data.to === 'refunded'),
    );
    expect(change.data).toMatchObject({ kind: 'status_changed', from: 'processing', cause: { author: 'ada' } });
    const [last, first] = await list(id);
    expect([last?.amount, first?.amount]).toEqual(['29.50', '20.40']);
    expect(last?.line_items).toMatchObject([{ name: 'Green tea', quantity: -1, total: '-24.79' }]);
    expect((await refusal(refund(id, { amount: '0.01' }))).status).toBe(400);
    await waitFor(() => published(id).length === 2);
  });

  test('a repeat under its key answers the first refund; another one under the key is refused', async () => {
    const id = await newOrder(ofLines);
    const first = await refund(id, { amount: '30.00' }, `key-${id}`);
    const both = await Promise.all([
      waitFor(() => refund(id, { amount: '30.00' }, `key-${id}`).catch(() => undefined)),
      waitFor(() => refund(id, { amount: '30.00' }, `key-${id}`).catch(() => undefined)),
    ]);
    expect(both).toEqual([0, 1].map(() => ({ refund: first.refund, created: false })));
    const other = await refusal(refund(id, { amount: '5.00' }, `key-${id}`));
    expect([other.status, other.code]).toEqual([409, 'svc_refund_conflict']);
    expect((await list(id)).map(({ amount }) => amount)).toEqual(['30.00']);
    // Without a key each request is a refund.
    await refund(id, { amount: '5.00' });
    await refund(id, { amount: '5.00' });
    expect(await list(id)).toHaveLength(3);
    await waitFor(() => published(id).length === 3);
    expect(new Set(published(id).map(({ change_id }) => change_id)).size).toBe(3);
  });

  test('what is wrong with a refund is said, all of it', async () => {
    const id = await newOrder({ total: '1000', currency: 'JPY' });
    const wrong = await refusal(
      refund(id, { amount: '10.5', line_items: [{ id: 77, quantity: 1, refund_total: '1', refund_tax: [] }] }),
    );
    expect(wrong.data.violations).toEqual([
      { path: 'line_items.0.id', message: `is no line of order ${id}` },
      { path: 'amount', message: 'has more decimals than JPY (0)' },
    ]);
    expect((await refusal(refund(id, {}))).data.violations).toMatchObject([{ path: 'amount' }]);
    const missing = { status: 404, code: 'svc_order_not_found' };
    expect(await refusal(refund(999_999, { amount: '1' }))).toMatchObject(missing);
    expect(await refusal(list(999_999))).toMatchObject(missing);
  });
}
