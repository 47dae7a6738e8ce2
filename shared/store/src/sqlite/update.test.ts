import type { JsonObject } from './codec';
import { makeSchema } from './schema';
import { updateSql } from './update';

const schema = makeSchema('things', [{ key: { state: 1, 'deep.at': -1 }, name: 'state' }]);

test.each<[JsonObject]>([
  [{}],
  [{ a: 1 }],
  [{ $rename: { a: 'b' } }],
  [{ $push: { a: 1 } }],
  [{ $setOnInsert: { a: 1 } }],
  [{ $set: 1 }],
  [{ $set: { _id: 'b' } }],
  [{ $set: { a: 1 }, $inc: { a: 1 } }],
  [{ $set: { a: 1, 'a-b': 1, 'a.b': 1 } }],
  [{ $set: { 'a.$': 1 } }],
  [{ $set: { 'a.$[].b': 1 } }],
  [{ $set: { "a'": 1 } }],
  [{ $set: { 'a..b': 1 } }],
  [{ $inc: { a: '1' } }],
  [{ $max: { a: [1] } }],
  [{ $set: { state: {} } }],
  [{ $set: { 'state.below': 1 } }],
  [{ $set: { deep: [] } }],
  [{ $set: { deep: { at: [1] } } }],
])('%j is no update', (update) => {
  expect(() => updateSql(update, schema)).toThrow(expect.objectContaining({ name: 'UnsupportedQueryError' }));
});

test('values are bound, never written into the SQL', () => {
  const hostile = `x' OR 1=1 --`;
  const { text, values } = updateSql({ $set: { state: hostile, 'a.b': hostile }, $max: { c: hostile } }, schema);
  expect(text).not.toContain('OR 1=1');
  expect(Object.values(values)).toEqual([hostile, hostile, hostile].map((value) => JSON.stringify(value)));
});

test('columns that do not depend on what changes are left alone, and so their indexes', () => {
  expect(updateSql({ $set: { other: 1, 'deep.other': 2 } }, schema).text).not.toContain('"v:');
  expect(updateSql({ $set: { state: 1 } }, schema).text).not.toContain('"v:deep.at"');
  expect(updateSql({ $unset: { deep: '' } }, schema).text).toContain('"v:deep.at" = NULL');
});

test('the text of an update is made once for all that have its operators and paths, which keep their own values', () => {
  const first = updateSql({ $set: { state: 'new', other: 1 }, $unset: { gone: '' } }, schema);
  const second = updateSql({ $set: { state: 'old', other: 2 }, $unset: { gone: '' } }, schema);
  expect(second.text).toBe(first.text);
  expect([first.values, second.values]).toEqual([
    { s0: '"new"', s1: '1' },
    { s0: '"old"', s1: '2' },
  ]);
  expect(updateSql({ $set: { state: 'old', gone: 2 } }, schema).text).not.toBe(first.text);
  expect(() => updateSql({ $set: { state: [], other: 1 }, $unset: { gone: '' } }, schema)).toThrow('indexed');
});
