import fc from 'fast-check';
import type { BulkOperation, Documents, Filter, Update } from '../src/port';
import type { Item } from './columns';

const scalar = fc.constantFrom<unknown>(
  0,
  1,
  -1,
  1.5,
  1e21,
  '',
  'a',
  '1',
  '{}',
  'é\u0000"',
  true,
  false,
  null,
  new Date(0),
);
const fields = ['key', 'due', 'open', 'value', 'Value', 'other', 'order', 'meta'] as const;
const deep = ['order.status', 'order.at', 'order.other', 'meta.kind', 'meta.kind.below'] as const;
const below = fc.record({ status: scalar, at: scalar, kind: scalar }, { requiredKeys: [], noNullPrototype: true });
const valueAt = (field: string): fc.Arbitrary<unknown> =>
  field === 'order' || field === 'meta' ? fc.oneof(below, scalar) : scalar;
const some = (paths: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(paths.map((path) => [path, valueAt(path)])), {
    requiredKeys: [],
    noNullPrototype: true,
  });
const id = fc.constantFrom('a', 'b', 'c', 'd');

const update = fc
  .tuple(some(fields), some(deep), fc.subarray([...fields, ...deep]), fc.constantFrom('$set', '$max', '$setOnInsert'))
  .map(([whole, parts, gone, operator]) => {
    const unset = Object.fromEntries(gone.map((path) => [path, '']));
    return { $set: whole, [operator === '$set' ? '$min' : operator]: parts, $unset: unset };
  })
  .chain((every) => fc.subarray(Object.entries(every), { minLength: 1 }))
  .map((entries) => Object.fromEntries(entries) as Update<Item>);

export type Step = (items: Documents<Item>) => Promise<unknown>;

const filter = fc.oneof(
  id.map((_id): Filter<Item> => ({ _id })),
  some(fields.slice(0, 5)) as fc.Arbitrary<Filter<Item>>,
);
const document = fc.tuple(id, some(fields)).map(([_id, body]): Item => ({ _id, ...body }));
const bulk = fc.oneof(
  document.map((item): BulkOperation<Item> => ({ insertOne: { document: item } })),
  fc
    .tuple(id, update, fc.boolean())
    .map(([_id, change, upsert]): BulkOperation<Item> => ({ updateOne: { filter: { _id }, update: change, upsert } })),
);
/** One way to write items; what the rules of the collection refuse is among them. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(document, { maxLength: 4 }).map(
    (batch): Step =>
      (items) =>
        items.insertMany(batch, { ordered: false }),
  ),
  fc.tuple(filter, update).map(
    ([where, change]): Step =>
      (items) =>
        items.updateMany(where, change),
  ),
  fc.tuple(filter, update).map(
    ([where, change]): Step =>
      (items) =>
        items.updateOne(where, change),
  ),
  fc.tuple(id, update).map(
    ([_id, change]): Step =>
      (items) =>
        items.findOneAndUpdate({ _id }, change, { upsert: true }),
  ),
  fc.array(bulk, { maxLength: 4 }).map(
    (steps): Step =>
      (items) =>
        items.bulkWrite(steps, { ordered: false }),
  ),
  id.map(
    (_id): Step =>
      (items) =>
        items.deleteOne({ _id }),
  ),
);
