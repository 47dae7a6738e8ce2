import { keyOfId } from '../keys';
import { genericAdapter } from './adapter';
import { keyOfEarlier } from './idempotency-keys';

const { computeIdempotencyKey } = genericAdapter({ requireConnection: false, hasConnections: () => false });
const context = { connection: null, otherConnections: () => [], diagnose: true, testProof: null };

const connection = 'erp';
/** The key of this version. */
function today(payload: Record<string, unknown>): string {
  const body = Buffer.from(JSON.stringify(payload));
  return computeIdempotencyKey({ connection, headers: {}, body, now: 0, payload, context });
}
const paid = { event: 'payment_completed', order_id: '7', transaction_id: 'pi_7', amount: '49.00', currency: 'USD' };
/** The key of before, of those values. */
const before = (type: string, transaction: string) =>
  keyOfId('generic', JSON.stringify([connection, type, '7', transaction, '49.00', 'USD', null]));
const moved = (key: string, payload: object) => keyOfEarlier({ key, connection, body: JSON.stringify(payload) });

describe('the key of a webhook that a version of before 23 November 2026 stored', () => {
  test('gets the id of the payload', () => {
    const payload = { ...paid, id: 'a-1' };
    const key = before('payment_completed', 'pi_7');
    expect(key).toContain('generic:[');
    expect(moved(key, payload)).toBe(today(payload));
    expect(today(payload)).not.toBe(key);
  });

  test('also where it is hashed', () => {
    const type = `payment ${'x'.repeat(100)}`;
    const payload = { ...paid, event: type, id: 'a-1' };
    const key = before(type, 'pi_7');
    expect(key).toContain('generic#');
    expect(moved(key, payload)).toBe(today(payload));
  });

  test.each([
    ['no id', paid],
    ['the id of the payment', { ...paid, id: 'pi_7' }],
  ])('stays with %s', (_what, payload) => {
    const key = before('payment_completed', 'pi_7');
    expect(moved(key, payload)).toBe(key);
    expect(today(payload)).toBe(key);
  });

  test.each([
    ['an id of the event', { ...paid, id: 'a-1', event_id: 'evt_1' }],
    ['nothing but the body', { id: ['a-1'], note: 'hello' }],
  ])('stays where it is made of %s', (_what, payload) => {
    expect(moved(today(payload), payload)).toBe(today(payload));
  });

  test.each(['gateway_card:evt_1', 'generic#0000', 'generic@0000', 'replay:evt_1'])(
    '%s is none of those and stays',
    (key) => {
      expect(moved(key, { ...paid, id: 'a-1' })).toBe(key);
    },
  );
});
