import fc from 'fast-check';

/**
 * Documents and filters of the port's subset, chosen so that they often meet. Texts whose order in UTF-16 is not that of their bytes are left
 * out: there mingo differs from MongoDB.
 */

const dates = [0, 1, 1_700_000_000_000].map((time) => new Date(time));
const numbers = [-1, 0, 1, 2, 1.5, 2 ** 53, 2 ** 60, -(2 ** 62), 2 ** 63, 1e21];
const texts = ['', 'a', 'b', '1', 'true', '{"$date":"1970-01-01T00:00:00.000Z"}', '[1]', '{}', 'é', '😀'];

const scalar = fc.oneof(
  { arbitrary: fc.constantFrom(...numbers), weight: 3 },
  { arbitrary: fc.constantFrom(...texts), weight: 3 },
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(...dates),
);
const comparable = fc.oneof(
  fc.constantFrom(...numbers),
  fc.constantFrom(...texts),
  fc.boolean(),
  fc.constantFrom(...dates),
);
const small = fc.record({ x: scalar, y: scalar }, { requiredKeys: [], noNullPrototype: true });

const loose = fc.oneof(
  { arbitrary: scalar, weight: 4 },
  { arbitrary: fc.array(scalar, { maxLength: 3 }), weight: 2 },
  { arbitrary: small, weight: 2 },
  { arbitrary: fc.array(small, { maxLength: 3 }), weight: 2 },
);

export type AnyDocument = { readonly _id: string } & Record<string, unknown>;

/** `indexed` and `deep.indexed` have indexes: they hold scalars. `loose` and `other` hold anything. */
const body = fc.record(
  {
    indexed: scalar,
    deep: fc.record({ indexed: scalar }, { requiredKeys: [], noNullPrototype: true }),
    loose,
    other: loose,
  },
  { requiredKeys: [], noNullPrototype: true },
);

export const documents: fc.Arbitrary<AnyDocument[]> = fc
  .array(body, { minLength: 1, maxLength: 8 })
  .map((bodies) => bodies.map((fields, index) => ({ _id: 'abcdefgh'.charAt(index), ...fields })));

export type AnyFilter = Record<string, unknown>;

const operator = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<AnyFilter> =>
  fc.record(model, { noNullPrototype: true });

const conditionOn = (operand: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: operand, weight: 4 },
    operator({ $eq: operand }),
    operator({ $ne: operand }),
    operator({ $in: fc.array(operand, { maxLength: 4 }) }),
    operator({ $nin: fc.array(operand, { maxLength: 4 }) }),
    operator({ $gt: comparable }),
    operator({ $gte: comparable }),
    operator({ $lt: comparable }),
    operator({ $lte: comparable }),
    operator({ $gte: comparable, $lt: comparable }),
    operator({ $exists: fc.boolean() }),
    small.filter((value) => Object.keys(value).length > 0),
  );

const on = (paths: readonly string[], operand: fc.Arbitrary<unknown>): fc.Arbitrary<AnyFilter> =>
  fc.tuple(fc.constantFrom(...paths), conditionOn(operand)).map(([path, condition]) => ({ [path]: condition }));

const idCondition = fc.oneof(
  fc.constantFrom('a', 'b', 'zz'),
  operator({ $in: fc.array(fc.constantFrom('a', 'b', 'c', 'zz'), { maxLength: 3 }) }),
  operator({ $gt: fc.constantFrom('a', 'c') }),
  operator({ $ne: fc.constantFrom('a', 'c') }),
);

const leaf: fc.Arbitrary<AnyFilter> = fc.oneof(
  { arbitrary: on(['indexed', 'deep.indexed', 'loose', 'other'], scalar), weight: 6 },
  // Below an array mingo does not take a missing field for null, as MongoDB does; the conformance suite looks at that.
  { arbitrary: on(['loose.x', 'other.y'], comparable), weight: 2 },
  { arbitrary: idCondition.map((value) => ({ _id: value })), weight: 1 },
);

export const filters: fc.Arbitrary<AnyFilter> = fc.oneof(
  { arbitrary: leaf, weight: 5 },
  { arbitrary: fc.tuple(leaf, leaf).map(([one, two]) => ({ ...one, ...two })), weight: 3 },
  { arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }).map((branches) => ({ $or: branches })), weight: 1 },
  { arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }).map((branches) => ({ $and: branches })), weight: 1 },
);
