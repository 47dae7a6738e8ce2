import { awaitingPayment, type Order } from '@order-automation/contracts';
import { buildOrder } from '@order-automation/testing';
import { orderFor } from './test-order';

const order = (id: number, status: string): Order => buildOrder({ id, status });

/** A shop with these orders, the newest first. */
function shopOf(orders: readonly Order[], awaiting = awaitingPayment) {
  const request = async (type: string, input: { status?: string; ids?: number[] }) =>
    type === 'shop.order.list.v1'
      ? { orders: orders.filter(({ status }) => input.status === undefined || status === input.status).slice(0, 1) }
      : { orders: orders.filter(({ id }) => input.ids?.includes(id)).map((found) => ({ id: found.id, order: found })) };
  return { bus: { request }, awaitingPayment: awaiting } as unknown as Parameters<typeof orderFor>[0];
}

const shop = [order(9, 'ready-for-pickup'), order(8, 'completed'), order(7, 'failed'), order(6, 'pending')];

test.each([
  ['payment_completed', null, shop, 6, null],
  ['payment_failed', null, shop.slice(0, 3), 7, null],
  ['payment_refunded', null, shop, 8, null],
  ['dispute_opened', null, shop, 8, null],
  ['order_updated', null, shop, 9, null],
  [null, null, shop, 9, null],
  ['payment_completed', null, shop.slice(0, 2), 9, 'No order waits for its payment'],
  ['payment_completed', 8, shop, 8, 'Order 8 is completed'],
  ['payment_completed', 6, shop, 6, null],
  ['payment_completed', null, [], null, 'has no orders'],
] as const)('%s, asked for %s: %#', async (type, id, orders, expected, doubt) => {
  const found = await orderFor(shopOf(orders), { id, type, testId: 'test_1' });
  expect(found.orderId).toBe(expected);
  if (doubt === null) expect(found.doubt).toBeNull();
  else expect(found.doubt).toContain(doubt);
});

test('an order waits for its payment in the statuses that the shop says', async () => {
  const quotes = [order(10, 'completed'), order(9, 'quote')];
  const wanted = { id: null, type: 'payment_completed', testId: 'test_1' } as const;
  expect(await orderFor(shopOf(quotes, [...awaitingPayment, 'quote']), wanted)).toMatchObject({
    orderId: 9,
    doubt: null,
  });
  expect((await orderFor(shopOf(quotes), wanted)).doubt).toContain('No order waits for its payment');
});

test('an order that does not exist is refused', async () => {
  const finding = orderFor(shopOf(shop), { id: 99, type: 'payment_completed', testId: 'test_1' });
  await expect(finding).rejects.toMatchObject({ code: 'svc_order_not_found' });
});
