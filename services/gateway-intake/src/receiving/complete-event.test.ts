import type { AdapterEvent } from '../gateways/adapter';
import { completeEvents } from './complete-event';

const origin = {
  adapter: { mapEventType: (type: string) => (type === 'paid' ? ('payment_completed' as const) : null) },
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
