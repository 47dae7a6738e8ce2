import type { MessageData, RuleRecord } from '@order-automation/contracts';
import {
  type CompiledRule,
  type CompiledRules,
  compileRule,
  compileRules,
  type Registry,
} from '@order-automation/engine';
import {
  batcher,
  keepNewest,
  type RuleSet,
  readChanged,
  readRules,
  readVersions,
  type ServiceDeps,
  startPolling,
} from '@order-automation/service';
import type { RuleVersion } from '../evaluation-document';

export type RuleCache = Awaited<ReturnType<typeof openRuleCache>>;

/** Milliseconds between two looks when no message tells of a change: the bus is not the only word on what is enabled. */
const lookAgain = 5_000;

/** Versions of rules that are kept besides the present ones. */
const maxRemembered = 1_000;

/** Those that ask for a look at the same moment share it. */
const maxAsking = 1_000;

const nameOf = ({ id, version }: RuleVersion): string => `${id}:${version}`;

/** Versions of rules that were replaced, or that an event brought back; the oldest are forgotten. */
function memory() {
  const rules = new Map<string, CompiledRule>();
  return {
    get: (version: RuleVersion): CompiledRule | undefined => rules.get(nameOf(version)),
    add: (rule: CompiledRule): void => {
      rules.delete(nameOf(rule.record));
      rules.set(nameOf(rule.record), rule);
      keepNewest(rules, maxRemembered);
    },
  };
}

type ById = ReadonlyMap<number, CompiledRule>;
const byId = ({ all }: CompiledRules): ById => new Map(all.map((rule) => [rule.record.id, rule]));

/** Rules by the revision that a message said they changed in. */
type Heard = Map<number, number>;

/** The newest revision up to which every change was heard of, with the rules that changed; null when one is missing, or none is newer. */
function heardWithoutGap(heard: Heard, since: number): { revision: number; ids: number[] } | null {
  const ids = new Set<number>();
  let revision = since;
  for (let id = heard.get(revision + 1); id !== undefined; id = heard.get(revision + 1)) {
    ids.add(id);
    revision += 1;
  }
  return ids.size > 0 && revision === Math.max(...heard.keys()) ? { revision, ids: [...ids] } : null;
}

function withChanges(present: ById, changed: ReadonlyMap<number, RuleRecord | null>): RuleRecord[] {
  const unchanged = [...present.values()].flatMap(({ record }) => (changed.has(record.id) ? [] : [record]));
  return [...unchanged, ...[...changed.values()].filter((record) => record?.enabled || record?.shadow)] as RuleRecord[];
}

/**
 * Every rule that is enabled or in shadow, compiled behind an index by trigger. A rule that changed is read when `rules.changed.v1` names it; where a message is missing, and
 * from time to time, the versions of all are compared. Rejects when rules is away at the start.
 */
export async function openRuleCache({ bus, log, clock }: ServiceDeps, registry: Registry) {
  let revision = -1;
  let generation: RuleSet['generation'];
  let compiled = compileRules([], registry);
  let present: ById = new Map();
  const remembered = memory();
  const fetched = new Map<number, RuleRecord>();

  const heard: Heard = new Map();
  const read = async (): Promise<RuleSet | null> => {
    const changes = heardWithoutGap(heard, revision);
    const changed = changes && (await readChanged(bus, changes.ids, generation));
    if (changed) return { revision: changes.revision, generation, records: withChanges(present, changed) };
    const known = new Map([...present].map(([id, { record }]) => [id, record]));
    return readRules(bus, { since: revision, known, fetched });
  };
  const load = async (): Promise<void> => {
    const rules = await read();
    if (!rules) return;
    const before = present;
    compiled = compileRules(rules.records, registry, compiled);
    present = byId(compiled);
    ({ revision, generation } = rules);
    for (const one of heard.keys()) if (one <= revision) heard.delete(one);
    for (const [id, rule] of before) if (present.get(id) !== rule) remembered.add(rule);
    log.info({ revision, rules: present.size }, 'rules read');
    fetched.clear();
  };
  /** One at a time: callers that ask while one runs share the next. */
  const looking = batcher<null, void>({ maxItems: maxAsking, concurrency: 1, run: load });
  const refresh = (): Promise<void> => looking.add(null);

  await refresh();
  const changed = async (messages: readonly { readonly data: MessageData<'rules.changed.v1'> }[]): Promise<void> => {
    for (const { data } of messages) if (data.revision > revision) heard.set(data.revision, data.rule_id);
    await refresh();
  };
  const subscription = await bus.subscribe('rules.changed.v1', null, changed, { maxBatch: 100 });
  const polling = startPolling('rules', lookAgain, refresh, { clock, log });

  const inVersion = (rule: RuleVersion): CompiledRule | undefined => {
    const now = present.get(rule.id);
    return now?.record.version === rule.version ? now : remembered.get(rule);
  };
  return {
    current: (): CompiledRules => compiled,
    /**
     * These rules in these versions, in order; of a version that the rules service does not have, the rule as it is now. Rejects when one has
     * to be asked for and the service is unavailable.
     */
    versions: async (rules: readonly RuleVersion[]): Promise<readonly CompiledRule[]> => {
      const asked = new Map<string, CompiledRule>();
      const unknown = rules.filter((rule) => inVersion(rule) === undefined);
      for (const record of unknown.length > 0 ? await readVersions(bus, unknown) : []) {
        const rule = compileRule(record, registry);
        asked.set(nameOf(record), rule);
        remembered.add(rule);
      }
      return rules.flatMap((rule) => inVersion(rule) ?? asked.get(nameOf(rule)) ?? present.get(rule.id) ?? []);
    },
    close: async (): Promise<void> => {
      await subscription.close();
      await polling.close();
    },
  };
}
