import { UnsupportedQueryError } from '../errors';
import type { JsonObject } from './codec';
import { compareValues, rank, sameValue } from './compare';
import { segmentsOf } from './path';

export type Match = (document: unknown) => boolean;

const comparisons = new Set(['$eq', '$ne', '$in', '$nin', '$gt', '$gte', '$lt', '$lte', '$exists']);

/** The operators of a condition; a bare value means `$eq`. Refuses what is outside the port's subset. */
export function operatorsOf(path: string, condition: unknown): [operator: string, operand: unknown][] {
  if (rank(condition) !== 4) return [['$eq', condition]];
  const entries = Object.entries(condition as JsonObject);
  if (!entries.some(([key]) => key.startsWith('$'))) return [['$eq', condition]];
  for (const [operator, operand] of entries) checkOperand(path, operator, operand);
  return entries;
}

function checkOperand(path: string, operator: string, operand: unknown): void {
  const refuse = (why: string): never => {
    throw new UnsupportedQueryError(`Filter on ${path}: ${why}`);
  };
  if (!comparisons.has(operator)) refuse(`operator ${operator} is not supported`);
  if ((operator === '$in' || operator === '$nin') && !Array.isArray(operand)) refuse(`${operator} wants an array`);
  if (operator === '$exists' && typeof operand !== 'boolean') refuse('$exists wants true or false');
  const range = operator.startsWith('$gt') || operator.startsWith('$lt');
  if (range && [1, 4, 5].includes(rank(operand))) refuse(`${operator} wants a number, text, boolean or date`);
}

/** The filters under `$and` or `$or`. */
export function branchesOf(operator: string, branches: unknown): JsonObject[] {
  if (!Array.isArray(branches) || branches.length === 0 || branches.some((branch) => rank(branch) !== 4))
    throw new UnsupportedQueryError(`${operator} wants an array of filters, not an empty one`);
  return branches as JsonObject[];
}

/** The filter as a predicate over one document, with MongoDB's meaning of null, types and arrays. */
export function compileFilter(filter: JsonObject): Match {
  const parts = Object.entries(filter).map(([key, condition]): Match => {
    if (key === '$and' || key === '$or') {
      const branches = branchesOf(key, condition).map(compileFilter);
      return key === '$and'
        ? (document) => branches.every((match) => match(document))
        : (document) => branches.some((match) => match(document));
    }
    if (key.startsWith('$')) throw new UnsupportedQueryError(`Operator ${key} is not supported in a filter`);
    return compileCondition(key, condition);
  });
  return (document) => parts.every((match) => match(document));
}

function compileCondition(path: string, condition: unknown): Match {
  const segments = segmentsOf(path);
  const tests = operatorsOf(path, condition).map(([operator, operand]) => compileOperator(operator, operand));
  return (document) => {
    const reached: unknown[] = [];
    reach(document, segments, 0, reached);
    return tests.every((test) => test(reached));
  };
}

const missing = Symbol('missing');

/** Collects what a path leads to; through an array it leads to every element that is an object, and to the one numbered. */
function reach(value: unknown, segments: readonly string[], at: number, out: unknown[]): void {
  const segment = segments[at];
  if (segment === undefined) {
    out.push(value);
  } else if (Array.isArray(value)) {
    if (/^\d+$/.test(segment) && Number(segment) < value.length) reach(value[Number(segment)], segments, at + 1, out);
    for (const element of value) if (rank(element) === 4) reach(element, segments, at, out);
  } else if (rank(value) === 4 && Object.hasOwn(value as JsonObject, segment)) {
    reach((value as JsonObject)[segment], segments, at + 1, out);
  } else {
    out.push(missing);
  }
}

function compileOperator(operator: string, operand: unknown): (reached: readonly unknown[]) => boolean {
  switch (operator) {
    case '$eq':
      return (reached) => candidates(reached).some((value) => equals(value, operand));
    case '$ne':
      return (reached) => !candidates(reached).some((value) => equals(value, operand));
    case '$in':
      return (reached) => isIn(reached, operand as unknown[]);
    case '$nin':
      return (reached) => !isIn(reached, operand as unknown[]);
    case '$exists':
      return (reached) => reached.some((value) => value !== missing) === operand;
    default:
      return (reached) => candidates(reached).some((value) => inRange(operator, value, operand));
  }
}

/** Arrays stand for themselves and for each of their elements. */
function candidates(reached: readonly unknown[]): unknown[] {
  return reached.flatMap((value) => (Array.isArray(value) ? [value, ...value] : [value]));
}

function equals(value: unknown, operand: unknown): boolean {
  return value === missing ? operand === null : sameValue(value, operand);
}

function isIn(reached: readonly unknown[], operands: readonly unknown[]): boolean {
  return candidates(reached).some((value) => operands.some((operand) => equals(value, operand)));
}

function inRange(operator: string, value: unknown, operand: unknown): boolean {
  if (value === missing || rank(value) !== rank(operand)) return false;
  const order = compareValues(value, operand);
  if (order === 0) return operator === '$gte' || operator === '$lte';
  return operator.startsWith('$gt') === order > 0;
}
