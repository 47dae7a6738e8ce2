import { derivedId, type RuleData } from '@order-automation/contracts';

/** Names the components and settings of a rule: the same whatever the order of its keys. */
export function ruleDigest({ trigger, conditions, primaryAction, secondaryActions }: RuleData): string {
  return derivedId('rule', JSON.stringify([trigger, conditions, primaryAction, secondaryActions].map(sorted)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}
