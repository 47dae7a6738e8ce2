import { type ComponentChoice, parseDecimal } from '@order-automation/contracts';
import type { ComparisonSettings } from '@order-automation/engine';
import { comparedNumber, memberOf } from './contradictions';

type Range = readonly [low: number, high: number];

/** What conditions leave possible, roughly: the range of each number and the values of each subject that they speak of. A rule speaks of few. */
export type Bounds = {
  readonly ranges: readonly { readonly number: string; readonly low: number; readonly high: number }[];
  readonly values: readonly { readonly subject: string; readonly allowed: ReadonlySet<string> }[];
};

/** Computed once for a rule, so that most pairs of rules that cannot meet cost no look at their conditions. */
export function boundsOf(conditions: readonly ComponentChoice[]): Bounds {
  const ranges = conditions.flatMap((condition) => {
    const number = comparedNumber(condition);
    if (number === null) return [];
    const [low, high] = rangeOf(condition.settings as ComparisonSettings);
    return [{ number, low, high }];
  });
  const values = conditions.flatMap((condition) => {
    const member = memberOf(condition);
    return member === null || member.isNot ? [] : [{ subject: member.subject, allowed: new Set(member.values) }];
  });
  return { ranges, values };
}

/** With both ends, also where the comparison leaves them out. */
function rangeOf({ operator, amount: from, amount_to: to = from }: ComparisonSettings): Range {
  const unbounded: Range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (!parseDecimal(from) || !parseDecimal(to)) return unbounded;
  switch (operator) {
    case 'gt':
    case '>':
    case 'gte':
    case '>=':
      return [from, Number.POSITIVE_INFINITY];
    case 'lt':
    case '<':
    case 'lte':
    case '<=':
      return [Number.NEGATIVE_INFINITY, from];
    case 'eq':
    case '==':
      return [from, from];
    case 'between':
      return [from, to];
    default:
      return unbounded;
  }
}

/** True only of conditions that can never all pass. */
export function areApart(a: Bounds, b: Bounds): boolean {
  for (const { number, low, high } of a.ranges)
    for (const other of b.ranges) if (number === other.number && (high < other.low || other.high < low)) return true;
  for (const { subject, allowed } of a.values)
    for (const other of b.values) if (subject === other.subject && !meet(allowed, other.allowed)) return true;
  return false;
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const value of some) if (others.has(value)) return true;
  return false;
}
