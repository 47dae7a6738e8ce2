import { headers, type Msg } from 'nats';
import { acknowledgement, deliveryOf, idOf } from './nats-delivery';

const from = (reply?: string): Msg => ({ reply }) as unknown as Msg;
const stored = 1_768_471_200_123;

describe('a delivery', () => {
  test.each([
    ['older servers', `$JS.ACK.rules-events.evaluation.2.77.80.${stored}000000.5`],
    ['servers with domains', `$JS.ACK.hub.ABCDEF.rules-events.evaluation.2.77.80.${stored}000000.5.random`],
  ])('is read from the address that %s give', (_name, reply) => {
    const { attempts, sequence, storedAt } = deliveryOf(from(reply)) ?? {};
    expect({ attempts, sequence, storedAt: Math.round(storedAt ?? 0) }).toEqual({
      attempts: 2,
      sequence: 77,
      storedAt: stored,
    });
  });

  test.each([undefined, '', '_INBOX.abc', '$JS.ACK.rules', '$JS.ACK.a.b.x.y.z.t.p', '$JS.API.a.b.1.2.3.4.5'])(
    'is not made from the address %s',
    (reply) => {
      expect(deliveryOf(from(reply))).toBeUndefined();
    },
  );

  test('keeps the id it was published with', () => {
    const head = headers();
    expect(idOf(undefined, 'rules.changed.v1', 7)).toBe('sequence-7');
    expect(idOf(head, 'rules.changed.v1', 7)).toBe('sequence-7');
    head.set('Nats-Msg-Id', 'rules.changed.v1/msg_1');
    expect(idOf(head, 'rules.changed.v1', 7)).toBe('msg_1');
    head.set('Nats-Msg-Id', 'foreign');
    expect(idOf(head, 'rules.changed.v1', 7)).toBe('foreign');
  });

  test('is asked for again after nanoseconds', () => {
    expect(Buffer.from(acknowledgement.again(500)).toString()).toBe('-NAK {"delay":500000000}');
    expect(Buffer.from(acknowledgement.again(0)).toString()).toBe('-NAK');
  });
});
