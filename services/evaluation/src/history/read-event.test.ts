import { buildEvent, buildOrder } from '@order-automation/testing';
import { readEvent } from './read-event';

const order = buildOrder({ id: 7, total: '49.00', currency: 'EUR' });
const refund = { genericType: 'payment_refunded', transactionID: 'pi_1', amount: '9.00', currency: 'EUR' } as const;

test('the first refund of an order is remembered, also one that names no object of its own', () => {
  const event = buildEvent({ ...refund, primaryObjectID: null });
  const { after } = readEvent(event, order, new Set(['pending']), 0)({ payments: [], states: [] });
  expect(after.refunds).toMatchObject([{ transaction: 'pi_1', amount: '9.00' }]);
});

test('what says nothing new leaves what is known as it is', () => {
  const event = buildEvent({ genericType: 'custom_event', primaryObjectID: null, amount: null });
  const known = { payments: [], states: [] };
  expect(readEvent(event, order, new Set(['pending']), 0)(known).after).toBe(known);
});
