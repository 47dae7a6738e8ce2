import type { JsonObject } from './codec';
import { applyUpdate, stepsOf, upsertDocument } from './update';

function updated(document: JsonObject, update: JsonObject): JsonObject {
  const copy = structuredClone(document);
  applyUpdate(copy, stepsOf(update), false);
  return copy;
}

test.each<[string, JsonObject, JsonObject, JsonObject]>([
  ['$set makes the objects on the way', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  ['$set in an array', { a: [{ b: 1 }] }, { $set: { 'a.0.b': 2, 'a.2': 3 } }, { a: [{ b: 2 }, null, 3] }],
  ['$setOnInsert waits for an insert', { a: 1 }, { $setOnInsert: { a: 2 } }, { a: 1 }],
  ['$unset of what is not there', { a: 1 }, { $unset: { 'b.c': '', 'a.d': '' } }, { a: 1 }],
  ['$unset in an array leaves null', { a: [1, 2] }, { $unset: { 'a.0': '' } }, { a: [null, 2] }],
  ['$max compares by type first', { a: 5, b: 'x' }, { $max: { a: 'text', b: 9 } }, { a: 'text', b: 'x' }],
  ['$min takes null', { a: 5 }, { $min: { a: null } }, { a: null }],
  ['$push keeps the first', { a: [1] }, { $push: { a: { $each: [2, 3], $slice: 2 } } }, { a: [1, 2] }],
  ['$push keeps none', { a: [1] }, { $push: { a: { $each: [2], $slice: 0 } } }, { a: [] }],
  ['$push of an array is one element', { a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
  [
    '$addToSet compares whole objects',
    { a: [{ x: 1 }] },
    { $addToSet: { a: { $each: [{ x: 1 }, { x: 1, y: 2 }] } } },
    { a: [{ x: 1 }, { x: 1, y: 2 }] },
  ],
  ['$pull of what is not there', { b: 1 }, { $pull: { a: 1, 'b.c': 2 } }, { b: 1 }],
  ['$pull by fields', { a: [{ x: 1, y: 1 }, { x: 2 }, 1] }, { $pull: { a: { x: 1 } } }, { a: [{ x: 2 }, 1] }],
  ['$pull of null', { a: [null, 1] }, { $pull: { a: null } }, { a: [1] }],
])('%s', (_, document, update, after) => {
  expect(updated(document, update)).toEqual(after);
});

test.each<[number, JsonObject, JsonObject]>([
  [28, { a: null }, { $set: { 'a.b': 1 } }],
  [28, { a: 'x' }, { $inc: { 'a.b': 1 } }],
  [28, { a: [1] }, { $set: { 'a.b': 1 } }],
  [28, { a: [] }, { $set: { 'a.9999999': 1 } }],
  [14, { a: 'x' }, { $inc: { a: 1 } }],
  [14, { a: null }, { $inc: { a: 1 } }],
  [2, { a: 'x' }, { $push: { a: 1 } }],
  [2, { a: null }, { $addToSet: { a: 1 } }],
  [2, { a: 1 }, { $pull: { a: 1 } }],
])('code %d: %j does not allow %j', (code, document, update) => {
  expect(() => updated(document, update)).toThrow(expect.objectContaining({ name: 'UpdateRefusedError', code }));
});

test.each<[JsonObject]>([
  [{}],
  [{ a: 1 }],
  [{ $rename: { a: 'b' } }],
  [{ $set: 1 }],
  [{ $set: { _id: 'b' } }],
  [{ $set: { a: 1 }, $inc: { a: 1 } }],
  [{ $set: { a: 1, 'a.b': 1 } }],
  [{ $set: { 'a.$': 1 } }],
  [{ $set: { 'a.$[].b': 1 } }],
  [{ $set: { "a'": 1 } }],
  [{ $set: { 'a..b': 1 } }],
  [{ $inc: { a: '1' } }],
])('%j is no update', (update) => {
  expect(() => stepsOf(update)).toThrow(expect.objectContaining({ name: 'UnsupportedQueryError' }));
});

test('an update of fields named like those of every object touches the document alone', () => {
  const after = updated({ a: {} }, JSON.parse('{"$set":{"a.__proto__.polluted":true,"constructor.x":1}}'));
  expect(Object.keys(after)).toEqual(['a', 'constructor']);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('an upsert starts from the equalities of its filter', () => {
  const filter = { _id: 'a', n: { $gt: 1 }, 'b.c': 2, $and: [{ d: { $eq: 3 } }], $or: [{ e: 1 }] };
  const steps = stepsOf({ $setOnInsert: { f: 4 }, $inc: { d: 1 } });
  expect(upsertDocument(filter, steps)).toEqual({ _id: 'a', b: { c: 2 }, d: 4, f: 4 });
  expect(() => upsertDocument({ n: 1 }, steps)).toThrow('_id');
});
