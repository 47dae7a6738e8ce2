import { derivedId } from '@order-automation/contracts';
import { insertNew, type Store } from '@order-automation/store';
import { maskDetails } from './mask';

type Details = Readonly<Record<string, unknown>>;
type Rule = Readonly<Record<string, unknown>>;
type Rules = readonly Rule[];
type Decision = Readonly<Record<string, unknown>>;

/** A list of rules, masked, under the digest of what it says. */
export type RuleListDocument = { readonly _id: string; readonly rules: Rules };

export type RuleLists = Awaited<ReturnType<typeof openRuleLists>>;

/** A list that came lately; it gets its id when it comes again. */
type Known = { readonly rules: Rules; id?: string };

/** Lists that are kept in mind, each way. */
const mostKnown = 256;

/**
 * The rules that a condition decided (`details.decided_by[].rules`, docs/decisions/0004) are the same for one event after the other, and
 * with many rules they are most of the log. A list that comes a second time is stored by itself, and entries name it:
 * `rule_list` stands for `rules`. Lists are never changed.
 */
export async function openRuleLists(store: Store) {
  const documents = await store.collection<RuleListDocument>('rule_lists');
  const known = new Map<unknown, Known[]>();
  const unstored = new Map<string, Rules>();
  const loaded = new Map<string, Rules>();
  let size = 0;

  /** The id of a list that came before; else the list is kept in mind. */
  const idOf = (rules: Rules): string | undefined => {
    const similar = known.get(rules[0]?.id) ?? [];
    const before = similar.find((one) => isSame(one.rules, rules));
    if (before) {
      before.id ??= name(rules);
      return before.id;
    }
    if (size === mostKnown) {
      known.clear();
      size = 0;
    }
    size += 1;
    known.set(rules[0]?.id, [...(known.get(rules[0]?.id) ?? []), { rules }]);
    return undefined;
  };

  const name = (rules: Rules): string => {
    const masked = maskDetails(rules) as Rules;
    const id = derivedId(JSON.stringify(masked));
    unstored.set(id, masked);
    return id;
  };

  const read = async (ids: readonly string[]): Promise<ReadonlyMap<string, Rules>> => {
    const lists = new Map<string, Rules>();
    const lacking = new Set<string>();
    for (const id of ids) {
      const rules = loaded.get(id);
      if (rules) lists.set(id, rules);
      else lacking.add(id);
    }
    if (lacking.size === 0) return lists;
    const found = await documents.find({ _id: { $in: [...lacking] } }).toArray();
    if (loaded.size + found.length > mostKnown) loaded.clear();
    for (const { _id, rules } of found) {
      lists.set(_id, rules);
      loaded.set(_id, rules);
    }
    return lists;
  };

  return {
    documents,
    /** The details with known lists named. They may be stored once `ensure` has resolved. */
    shorten: (details: Details): Details =>
      changeDecisions(details, (decision) => {
        const { rules, ...rest } = decision;
        const id = isList(rules) ? idOf(rules) : undefined;
        return id === undefined ? decision : { ...rest, rule_list: id };
      }),
    /** Resolves when every list that `shorten` has named is stored. */
    ensure: async (): Promise<void> => {
      if (unstored.size === 0) return;
      const lists = [...unstored].map(([_id, rules]) => ({ _id, rules }));
      await insertNew(documents, lists);
      for (const { _id } of lists) unstored.delete(_id);
    },
    /** What was stored, as it was before it was shortened. */
    expand: async <Stored extends { readonly details?: Details }>(stored: readonly Stored[]): Promise<Stored[]> => {
      const ids: string[] = [];
      for (const { details } of stored)
        for (const { rule_list: id } of decisionsOf(details)) if (isId(id)) ids.push(id);
      if (ids.length === 0) return [...stored];
      const lists = await read(ids);
      return stored.map((one) => {
        if (one.details === undefined) return one;
        const details = changeDecisions(one.details, (decision) => {
          const { rule_list: id, ...rest } = decision;
          const rules = isId(id) ? lists.get(id) : undefined;
          return rules === undefined ? decision : { ...rest, rules };
        });
        return { ...one, details };
      });
    },
  };
}

const isId = (value: unknown): value is string => typeof value === 'string';

function decisionsOf(details: Details | undefined): readonly Decision[] {
  const decisions = details?.decided_by;
  return Array.isArray(decisions) && decisions.every(isObject) ? decisions : [];
}

function changeDecisions(details: Details, change: (decision: Decision) => Decision): Details {
  const decisions = decisionsOf(details);
  if (decisions.length === 0) return details;
  const changed = decisions.map(change);
  return changed.every((decision, index) => decision === decisions[index])
    ? details
    : { ...details, decided_by: changed };
}

const isObject = (value: unknown): value is Rule =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Only what is longer than its name is worth one. */
const isList = (value: unknown): value is Rules => Array.isArray(value) && value.length > 1 && value.every(isObject);

/** Lists that hold anything but plain values are the same as none. */
function isSame(a: Rules, b: Rules): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (!sameFields(a[index] as Rule, b[index] as Rule)) return false;
  return true;
}

function sameFields(a: Rule, b: Rule): boolean {
  let fields = 0;
  for (const field in a) {
    if (a[field] !== b[field]) return false;
    fields += 1;
  }
  for (const _ in b) fields -= 1;
  return fields === 0;
}
