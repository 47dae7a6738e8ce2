import { UnsupportedQueryError } from '../errors';
import type { JsonObject } from './codec';
import { compareScalars } from './scalar';
import type { PartialTerm } from './schema';

const comparisons = new Set(['$eq', '$ne', '$in', '$gt', '$gte', '$lt', '$lte', '$exists']);

/** The operators of a condition; a bare value means `$eq`. Refuses what is outside the port's subset. */
export function operatorsOf(path: string, condition: unknown): [operator: string, operand: unknown][] {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return [['$eq', condition]];
  const entries = Object.entries(condition);
  const refuse = (why: string): never => {
    throw new UnsupportedQueryError(`Filter on ${path}: ${why}`);
  };
  if (entries.length === 0) refuse('no operator');
  for (const [operator, operand] of entries) {
    if (!comparisons.has(operator)) refuse(`operator ${operator} is not supported`);
    if (operator === '$in' && !Array.isArray(operand)) refuse('$in wants an array');
    if (operator === '$exists' && typeof operand !== 'boolean') refuse('$exists wants true or false');
  }
  return entries;
}

/** Whether every document that the filter finds satisfies the term of a partial index. */
export function impliesTerm(term: PartialTerm, filter: JsonObject): boolean {
  if (!Object.hasOwn(filter, term.path)) return false;
  return operatorsOf(term.path, filter[term.path]).some(([operator, operand]) => implies(operator, operand, term));
}

function implies(operator: string, operand: unknown, term: PartialTerm): boolean {
  if (operator === '$ne') return false;
  if (operator === '$exists') return term.operator === '$exists' && operand === true;
  const operands = operator === '$in' ? (operand as unknown[]) : [operand];
  if (term.operator === '$exists') return !operands.includes(null);
  const isList = operator === '$eq' || operator === '$in';
  return isList && operands.every((value) => compareScalars(value, term.operand) === 0);
}
