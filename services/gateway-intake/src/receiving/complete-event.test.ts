import type { AdapterEvent } from '../gateways/adapter';
import type { Payload } from '../gateways/payload';
import { completeEvents } from './complete-event';

const origin = {
  adapter: {
    // As specification 6.4 has it: from any text to any text.
    mapEventType: (type: string) => (type === 'paid' ? 'payment_completed' : type),
    extractTransactionId: (payload: Payload) => (payload as { transfer?: string }).transfer ?? null,
  },
  payload: { transfer: 'T-9' },
  gateway: 'gateway_own',
  channel: 'webhook',
  webhook: {
    process_id: 'proc_1',
    gateway: 'gateway_own',
    connection: null,
    headers: {},
    body: Uint8Array.from([]),
    received_at: '2026-01-15T10:00:00.000Z',
    refused: null,
  },
  authenticated: true,
  isTest: false,
  now: 1_760_000_000_000,
};
const complete = (fields: AdapterEvent) => completeEvents([fields], 'key', origin);

test('the fields of specification 2.6 are enough', () => {
  const fields = {
    eventType: 'paid',
    sourceGateway: 'gateway_own',
    primaryObjectType: 'order',
    primaryObjectID: '1001',
    transactionID: 'T-1',
    amount: 49.5,
    currency: 'eur',
    rawData: { any: 'thing' },
  };
  expect(complete(fields)).toMatchObject([
    {
      genericType: 'payment_completed',
      amount: '49.50',
      currency: 'EUR',
      amountProblem: null,
      occurredAt: null,
      orderReference: { gateway_ids: ['T-1'], order_id: '1001', transaction_id: 'T-1' },
    },
  ]);
  expect(complete({ eventType: 'ping' })).toMatchObject([
    { genericType: null, amount: null, primaryObjectType: 'event' },
  ]);
});

test('the own id of an event may stand in the form of the specification', () => {
  expect(complete({ eventType: 'payment.own.paid' })).toMatchObject([
    { eventType: 'payment.own.paid', genericType: 'payment_completed' },
  ]);
  expect(complete({ eventType: 'payment.own.lost' })).toMatchObject([{ genericType: null }]);
});

test('an event without a transaction has that of the payload; a way to the order is completed', () => {
  expect(complete({ eventType: 'paid' })).toMatchObject([
    { transactionID: 'T-9', orderReference: { gateway_ids: ['T-9'], order_id: null, transaction_id: 'T-9' } },
  ]);
  expect(complete({ eventType: 'paid', transactionID: null, orderReference: { order_id: '7' } })).toMatchObject([
    { transactionID: null, orderReference: { gateway_ids: [], order_id: '7', transaction_id: null } },
  ]);
});

test('what cannot be read exactly says so', () => {
  expect(complete({ eventType: 'paid', amount: '1,00', currency: 'EUR' })).toMatchObject([
    { amount: null, amountProblem: expect.stringContaining('1,00') },
  ]);
});

test.each([
  [{ eventType: '' }, 'eventType'],
  [{ eventType: 'paid', primaryObjectID: { id: 1 } }, 'primaryObjectID'],
  [{ eventType: 'paid', occurredAt: 'yesterday' }, 'occurredAt'],
])('%j is refused, and the field is named', (fields, name) => {
  expect(complete(fields as AdapterEvent)).toMatchObject({
    code: 'invalid_event',
    text: expect.stringContaining(name),
  });
});

test.each([
  ['an hour ahead is a clock that is fast', 1, true],
  ['a year ahead is no time of what has happened', 365 * 24, false],
])('%s', (_what, hours, isKept) => {
  const occurredAt = new Date(origin.now + hours * 3_600_000).toISOString();
  expect(complete({ eventType: 'paid', occurredAt })).toMatchObject([{ occurredAt: isKept ? occurredAt : null }]);
});
