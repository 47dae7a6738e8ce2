import type { JsonObject } from './codec';
import { orderSql, whereSql } from './filter';
import { makeSchema } from './schema';

const schema = makeSchema('things', [
  { key: { state: 1, at: -1 }, name: 'state' },
  { key: { uid: 1 }, name: 'uid', unique: true, sparse: true },
  { key: { due: 1 }, name: 'due', partialFilterExpression: { open: true, due: { $eq: 5 } } },
]);

test.each<[JsonObject]>([
  [{ a: { $regex: 'x' } }],
  [{ a: { $size: 1 } }],
  [{ a: { $elemMatch: { b: 1 } } }],
  [{ a: { $not: { $eq: 1 } } }],
  [{ a: { $gt: null } }],
  [{ a: { $gt: [1] } }],
  [{ a: { $in: 'x' } }],
  [{ a: { $exists: 1 } }],
  [{ a: { $eq: 1, b: 2 } }],
  [{ $nor: [{ a: 1 }] }],
  [{ $where: 'true' }],
  [{ $or: [{ a: 1 }] }],
  [{ a: { $nin: [1] } }],
  [{ a: [1] }],
  [{ a: { $in: [{ b: 1 }] } }],
  [{ a: {} }],
  [{ a: { b: 1 } }],
  [{ a: { $all: ['x'] } }],
  [{ $expr: {} }],
  [{ '': 1 }],
  [{ 'a b': 1 }],
  [{ 'a"': 1 }],
  [{ "a') OR 1=1 --": 1 }],
  [{ 'a..b': 1 }],
])('%j is refused', (filter) => {
  expect(() => whereSql(filter, schema)).toThrow(expect.objectContaining({ name: 'UnsupportedQueryError' }));
});

test('sorting takes 1 and -1 and plain paths', () => {
  expect(() => orderSql({ 'a; DROP TABLE things': 1 }, schema)).toThrow('Not a path');
  expect(() => orderSql({ a: 'asc' }, schema)).toThrow('1 or -1');
  expect(orderSql({ state: 1, at: -1, _id: 1 }, schema)).toBe(' ORDER BY "v:state", "v:at" DESC, id');
});

test('values are bound, never written into the SQL', () => {
  const hostile = `x' OR 1=1 --`;
  const filter = { state: hostile, other: { $in: [hostile] }, _id: { $ne: hostile }, at: { $gt: hostile } };
  const { text, values } = whereSql(filter, schema);
  expect(text).not.toContain('OR 1=1');
  expect(values.join()).toContain(hostile);
});

test('long lists of any length are one statement', () => {
  const list = (length: number) => whereSql({ _id: { $in: Array.from({ length }, (_, n) => `k${n}`) } }, schema).text;
  expect(list(4)).toBe(list(64));
});

test('documents that are named are looked up by their names, whatever else is asked of them', () => {
  expect(whereSql({ _id: { $in: ['a'] }, state: 'x' }, schema).text).toContain('+"v:state" = ?');
  expect(whereSql({ _id: { $gt: 'a' }, state: 'x' }, schema).text).not.toContain('+');
});

test('a range with both ends has no other end: SQLite would walk to that one', () => {
  const text = (condition: JsonObject) => whereSql({ uid: condition } as JsonObject, schema).text;
  expect(text({ $gte: 'a', $lt: 'b' })).not.toMatch(/x''|>= ''/);
  expect(text({ $gt: 1, $lte: 5 })).not.toContain("< ''");
  expect(text({ $gte: 'a' })).toContain("x''");
  expect(text({ $gte: 'a', $lt: 5 })).toContain("x''");
});
