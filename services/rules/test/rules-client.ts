import type {
  Actor,
  MessageData,
  NewAuditEntry,
  RequestInput,
  RequestType,
  RuleData,
} from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { entriesOfRecords, type Lane, type LaneDeps } from '@order-automation/testing';
import { startRules } from '../src';
import { openRules } from '../src/documents/rule-documents';
import type { RuleSet } from '../src/documents/rule-set';
import { openRuleVersions } from '../src/documents/rule-versions';

export const actor: Actor = { user: 'admin', process_id: 'proc_1', action: null, user_agent: null, page_url: '/rules' };
export const edition = 'default' as const;

export function ruleData(overrides: Partial<RuleData> = {}): RuleData {
  return {
    trigger: { id: 'order_processing', settings: {} },
    conditions: [{ id: 'order_total', settings: { operator: 'gt', amount: 50 } }],
    primaryAction: { id: 'change_status_to_completed', settings: {} },
    secondaryActions: [],
    ...overrides,
  };
}

/** A running rules service with a fresh bus and database for every test, and who talks to it. Audit is away until `openAudit`. */
export function useRules(lane: Lane) {
  let deps: LaneDeps;
  let service: Service;
  const entries: NewAuditEntry[] = [];
  const revisions: MessageData<'rules.changed.v1'>[] = [];

  /** The stand-in of MongoDB may take seconds for a save while other suites use it. */
  const request = <T extends RequestType>(type: T, input: RequestInput<T>) =>
    deps.bus.request(type, input, { timeout: 15_000 });
  const start = async (): Promise<void> => {
    service = await startRules(deps, { extensions: [] });
  };

  beforeEach(async () => {
    deps = await lane.deps();
    entries.length = 0;
    revisions.length = 0;
    await deps.bus.subscribe('rules.changed.v1', null, async (messages) => {
      revisions.push(...messages.map(({ data }) => data));
    });
    await start();
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  return {
    entries,
    revisions,
    request,
    start,
    deps: () => deps,
    service: () => service,
    /** Audit as its contract says: an entry is confirmed once it is kept. */
    openAudit: () =>
      deps.bus.respond('audit.record.v2', async ({ records }) => {
        const recorded = entriesOfRecords(records);
        const known = new Set(entries.map(({ uid }) => uid));
        const fresh = recorded.filter(({ uid }) => !known.has(uid));
        entries.push(...fresh);
        return { recorded: fresh.length, duplicates: recorded.length - fresh.length };
      }),
    create: (changes: Partial<RequestInput<'rules.rule.create.v1'>['changes']> = {}) =>
      request('rules.rule.create.v1', {
        changes: { name: 'Big orders', rule: ruleData(), ...changes },
        edition,
        actor,
      }),
    save: (id: number, changes: RequestInput<'rules.rule.save.v1'>['changes'], if_match: number | null = null) =>
      request('rules.rule.save.v1', { id, changes, if_match, edition, actor }),
    list: (input: Partial<RequestInput<'rules.rule.list.v1'>> = {}) =>
      request('rules.rule.list.v1', { page: 1, per_page: 20, ...input }),
    /** A cache that knows nothing asks. */
    active: () => request('rules.active-versions.v1', { since: -1, after: 0 }),
    versionsOf: async (id: number) => {
      const { documents } = await openRuleVersions(deps.store);
      return documents.find({ rule_id: id }).sort({ version: -1 }).toArray();
    },
    /** The rule set as it is stored. */
    storedSet: async () => {
      const documents = await deps.store.collection<RuleSet & { readonly _id: string }>('rule_set');
      const set = await documents.findOne({ _id: 'rules' });
      if (!set) throw new Error('there is no rule set');
      return { ...set, isSettled: set.settled === set.revision, documents };
    },
    stored: async (id: number) => (await openRules(deps.store)).documents.findOne({ _id: id }),
  };
}
