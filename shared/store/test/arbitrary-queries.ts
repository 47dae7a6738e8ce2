import fc from 'fast-check';
import type { IndexDescription } from '../src/port';

/**
 * Documents, filters and updates of the port's subset, chosen so that they often meet. Texts whose order in UTF-16 is not that of their bytes are
 * left out: there mingo differs from MongoDB.
 */

const numbers = [-1, 0, 1, 2, 1.5, 2 ** 53, 2 ** 60, -(2 ** 62), 2 ** 63, 1e21];
const texts = ['', 'a', 'b', '1', 'true', '{"x":1}', '[1]', '{}', 'é', '😀'];

const comparable = fc.oneof(fc.constantFrom(...numbers), fc.constantFrom(...texts), fc.boolean());
const scalar = fc.oneof({ arbitrary: comparable, weight: 8 }, { arbitrary: fc.constant(null), weight: 1 });
const small = fc.record({ x: scalar, y: scalar }, { requiredKeys: [], noNullPrototype: true });

/** No condition looks into an array: arrays stand where no filter of these asks. */
const loose = fc.oneof({ arbitrary: scalar, weight: 4 }, { arbitrary: small, weight: 2 });
const anything = fc.oneof(loose, fc.array(loose, { maxLength: 3 }));

export type AnyDocument = { readonly _id: string } & Record<string, unknown>;

/** `indexed` and `deep.indexed` have indexes: they hold scalars. `loose` and `other` hold objects too, `rest` anything. */
const body = fc.record(
  {
    indexed: scalar,
    deep: fc.record({ indexed: scalar }, { requiredKeys: [], noNullPrototype: true }),
    loose,
    other: loose,
    rest: anything,
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** Of the collection that holds the documents. */
export const oracleIndexes: readonly IndexDescription[] = [
  { key: { indexed: 1, _id: 1 }, name: 'indexed' },
  { key: { 'deep.indexed': -1 }, name: 'deep', sparse: true },
  { key: { indexed: -1 }, name: 'some', partialFilterExpression: { indexed: { $eq: 1 } } },
];

export const documents: fc.Arbitrary<AnyDocument[]> = fc
  .array(body, { minLength: 1, maxLength: 8 })
  .map((bodies) => bodies.map((fields, index) => ({ _id: 'abcdefgh'.charAt(index), ...fields })));

export type AnyFilter = Record<string, unknown>;

const operator = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<AnyFilter> =>
  fc.record(model, { noNullPrototype: true });

const condition: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: scalar, weight: 4 },
  operator({ $eq: scalar }),
  operator({ $ne: scalar }),
  operator({ $in: fc.array(scalar, { maxLength: 4 }) }),
  operator({ $gt: comparable }),
  operator({ $gte: comparable }),
  operator({ $lt: comparable }),
  operator({ $lte: comparable }),
  operator({ $gte: comparable, $lt: comparable }),
  operator({ $exists: fc.boolean() }),
);

const paths = ['indexed', 'deep.indexed', 'loose', 'other', 'loose.x', 'other.y'];

const idCondition = fc.oneof(
  fc.constantFrom('a', 'b', 'zz'),
  operator({ $in: fc.array(fc.constantFrom('a', 'b', 'c', 'zz'), { maxLength: 3 }) }),
  operator({ $gt: fc.constantFrom('a', 'c') }),
  operator({ $ne: fc.constantFrom('a', 'c') }),
);

const leaf: fc.Arbitrary<AnyFilter> = fc.oneof(
  { arbitrary: fc.tuple(fc.constantFrom(...paths), condition).map(([path, value]) => ({ [path]: value })), weight: 8 },
  { arbitrary: idCondition.map((value) => ({ _id: value })), weight: 1 },
);

export const filters: fc.Arbitrary<AnyFilter> = fc.oneof(
  { arbitrary: leaf, weight: 5 },
  { arbitrary: fc.tuple(leaf, leaf).map(([one, two]) => ({ ...one, ...two })), weight: 3 },
  fc.constant({}),
);

/** One operator a field, so that no two get into each other's way. */
const changes: Record<string, fc.Arbitrary<readonly [string, string, unknown]>> = {
  indexed: fc.oneof(
    scalar.map((value) => ['$set', 'indexed', value] as const),
    fc.constantFrom(1, -2, 0.5).map((by) => ['$inc', 'indexed', by] as const),
    fc.constant(['$unset', 'indexed', ''] as const),
  ),
  deep: fc.oneof(
    scalar.map((value) => ['$set', 'deep.indexed', value] as const),
    fc.constant(['$set', 'deep', { indexed: 'whole', y: 1 }] as const),
    fc.constant(['$unset', 'deep.indexed', ''] as const),
  ),
  loose: fc.oneof(
    anything.map((value) => ['$set', 'loose', value] as const),
    scalar.map((value) => ['$set', 'loose.x', value] as const),
    fc.constant(['$unset', 'loose.x', ''] as const),
  ),
  other: fc.oneof(
    fc.constantFrom(1, 2.5).map((by) => ['$inc', 'other.y', by] as const),
    fc.constantFrom(...numbers, ...texts).map((value) => ['$max', 'other.y', value] as const),
  ),
};

type AnyUpdate = Record<string, Record<string, unknown>>;

export const updates: fc.Arbitrary<AnyUpdate> = fc
  .subarray(Object.values(changes), { minLength: 1 })
  .chain((some) => fc.tuple(...some))
  .map((steps) => {
    const update: AnyUpdate = {};
    for (const [name, path, operand] of steps) update[name] = { ...update[name], [path]: operand };
    return update;
  });

/** Whether the document allows the update: objects above what is set, numbers where something is added (MongoDB manual, "Update Operators"). */
export function allows(document: AnyDocument, update: AnyUpdate): boolean {
  return Object.entries(update).every(([name, fields]) =>
    Object.keys(fields).every((path) => {
      const [top, below] = path.split('.') as [string, string | undefined];
      const held = document[top];
      const isObject = typeof held === 'object' && held !== null && !Array.isArray(held);
      if (below !== undefined && name !== '$unset' && held !== undefined && !isObject) return false;
      const before = below === undefined ? held : isObject ? (held as Record<string, unknown>)[below] : undefined;
      return name !== '$inc' || before === undefined || typeof before === 'number';
    }),
  );
}
