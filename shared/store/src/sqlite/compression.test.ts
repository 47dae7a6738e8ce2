import { createHash } from 'node:crypto';
import { dictionary, newCompression, plainText } from './compression';

const { compressed, plain } = newCompression(0);

test('what was written in format 1 is read for ever', () => {
  // Another dictionary makes all of it unreadable: a new one has a number of its own.
  expect(createHash('sha256').update(dictionary).digest('hex')).toBe(
    '52a932a66274278019fb9fdb14e5238ce8e2f755bd884be34c801415b6b1a291',
  );
  const stored = Buffer.from('AUMemoctvkGalSQw9QedMj285PD8D/NnNCjVAgA=', 'base64');
  expect(JSON.parse(plainText(stored))).toEqual({
    _id: 'evt_1',
    state: 'done',
    rules: [{ id: 1, version: 1 }],
    note: 'äß😀',
  });
});

test.each(['', '{}', JSON.stringify({ text: '\ufeff\0 äß😀'.repeat(9) }), 'x'.repeat(1_000_000)])(
  '%#: a text comes back',
  (text) => {
    const stored = compressed(text);
    expect(plainText(stored)).toBe(text);
    expect(plain(stored as Buffer)).toBe(text);
    expect(plain(stored as Buffer)).toBe(text);
    expect(plain(text)).toBe(text);
  },
);

test('a short document stays text, a long one of ours takes less than a third', () => {
  const order = { id: 1, status: 'pending', currency: 'USD', total: '12.50', customer_id: 7, payment_method: 'card' };
  const document = {
    _id: 1,
    rev: 2,
    order,
    line_items: [{ id: 1, name: 'Blue mug', product_id: 3, quantity: 2, sku: '' }],
  };
  const long = JSON.stringify({ ...document, notes: ['Please leave it at the door', 'x'.repeat(500)] });
  expect(newCompression().compressed(JSON.stringify(document))).toBe(JSON.stringify(document));
  expect(newCompression().compressed(long).length).toBeLessThan(long.length / 3);
});

test.each([[[]], [[0, 1, 2]], [[2, 3, 4]]])('bytes %j of no known format are refused', (bytes) => {
  expect(() => plainText(Buffer.from(bytes))).toThrow('not known');
});
