import { news, webhookOf } from '../test/conformance/data';
import { exchangeOf, parseJson, readMessage, writeMessages } from './wire';

const invalid = expect.objectContaining({ name: 'BusError', code: 'invalid_message' });

test('a message comes back as it was, without what its schema does not name', () => {
  const sent = news(1);
  const [written] = writeMessages({ ...sent, more: 1 } as never);
  expect(readMessage('rules.changed.v1', written?.text ?? '')).toEqual(sent);
});

test.each(['', '{"half":', '[]', '1', 'null', '{"type":"rules.changed.v1"}'])('%p is no message', (text) => {
  expect(() => readMessage('rules.changed.v1', text)).toThrow(invalid);
});

test('a message of another type is none of this type', () => {
  const [written] = writeMessages(news(1));
  expect(() => readMessage('evaluation.events-done.v1', written?.text ?? '')).toThrow(invalid);
});

test('bytes travel as base64', () => {
  const { input } = exchangeOf('intake.receive.v1');
  const sent = webhookOf(300);
  const text = input.encode(sent);
  expect(text).toContain(Buffer.from(sent.webhooks[0]?.body ?? '').toString('base64'));
  expect(input.parse(parseJson(text))).toEqual(sent);
  const noBytes = { webhooks: [{ ...sent.webhooks[0], body: 'text' }] } as never;
  expect(() => input.encode(noBytes)).toThrow(invalid);
});

test('what JSON cannot hold is refused', () => {
  const { input } = exchangeOf('shop.order.save.v1');
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const cause = { process_id: 'p', depth: 0, author: 'test' };
  expect(() => input.encode({ id: 1, fields: cycle, cause })).toThrow(invalid);
  expect(() => input.encode({ id: 1, fields: { big: 1n }, cause })).toThrow(invalid);
});
