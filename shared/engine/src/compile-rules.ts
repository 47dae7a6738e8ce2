import type { Occurrence, RuleData, RuleRecord } from '@order-automation/contracts';
import { type CompiledRule, compileRule } from './compile-rule';
import { builtInRegistry, type Registry } from './registry';

export type CompiledRules = {
  /** The rules whose trigger fires, by `position`, then `id`. The array is shared: do not change it. */
  forOccurrence(occurrence: Occurrence): readonly CompiledRule[];
  /** Enabled rules in order of running, also those that can never fire. */
  readonly all: readonly CompiledRule[];
};

/** Rules of one occurrence type: those that take any status, and for each status named those and the ones that name it. */
type Bucket = { readonly any: CompiledRule[]; readonly byStatus: Map<string, CompiledRule[]> };

const none: readonly CompiledRule[] = [];

function bucketOf(rules: readonly CompiledRule[], type: Occurrence['type']): Bucket {
  const statuses = new Set<string>();
  for (const rule of rules) {
    for (const { type: listened, to_status } of rule.listensTo) {
      if (listened === type && to_status !== undefined) statuses.add(to_status);
    }
  }
  const listening = (status: string | undefined): CompiledRule[] =>
    rules.filter(({ listensTo }) =>
      listensTo.some((on) => on.type === type && (on.to_status === undefined || on.to_status === status)),
    );
  return { any: listening(undefined), byStatus: new Map([...statuses].map((status) => [status, listening(status)])) };
}

/** Parses enabled rules once and indexes them by what their triggers listen to, so that an occurrence costs one look-up. */
export function compileRules(rules: readonly RuleRecord[], registry: Registry = builtInRegistry): CompiledRules {
  const all = rules
    .filter(({ enabled }) => enabled)
    .sort((a, b) => a.position - b.position || a.id - b.id)
    .map((record) => compileRule(record, registry));
  const types = new Set(all.flatMap(({ listensTo }) => listensTo.map(({ type }) => type)));
  const buckets = new Map([...types].map((type) => [type, bucketOf(all, type)] as const));
  return {
    all,
    forOccurrence: ({ type, to_status }) => {
      const bucket = buckets.get(type);
      if (!bucket) return none;
      return (to_status === null ? undefined : bucket.byStatus.get(to_status)) ?? bucket.any;
    },
  };
}

/** Whether any of its actions changes the order (decisions.md section 6: not to run when the amount disagrees). Unknown ones count. */
export function changesOrder(rule: RuleData, registry: Registry = builtInRegistry): boolean {
  const { primaryAction, secondaryActions } = rule;
  if (primaryAction && (registry.primaryActions.get(primaryAction.id)?.component.changesOrder ?? true)) return true;
  return secondaryActions.some(({ id }) => registry.secondaryActions.get(id)?.component.changesOrder ?? true);
}
