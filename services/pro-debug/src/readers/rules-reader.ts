import { type Bus, joined } from '@order-automation/bus';
import { type RuleRecord, ServiceError } from '@order-automation/contracts';
import { type CompiledRule, type CompiledRules, compileRules, type Registry } from '@order-automation/engine';
import { readRules, readVersions } from '@order-automation/service';

const perPage = 200;

/** All that debugging can do with rules: read them. They are compiled once a version; those that are unchanged since the last question are not read again. */
export function rulesReader(bus: Pick<Bus, 'request'>, registry: Registry) {
  let revision = -1;
  let compiled = compileRules([], registry);
  let disabledBefore = compiled;

  const read = async (): Promise<CompiledRules> => {
    const known = new Map(compiled.all.map(({ record }) => [record.id, record]));
    const found = await readRules(bus, { since: revision, known, fetched: new Map() });
    if (found) {
      const enabled = found.records.filter((record) => record.enabled);
      compiled = compileRules(enabled, registry, compiled);
      revision = found.revision;
    }
    return compiled;
  };
  return {
    /** The enabled rules as they are now. */
    current: joined(read),
    /** The rule in the newest version that was saved by then; null when it was not there. */
    versionAt: async (record: RuleRecord, at: string): Promise<RuleRecord | null> => {
      for (let page = 1; ; page += 1) {
        const ask = { id: record.id, page, per_page: perPage };
        const { versions, pagination } = await bus.request('rules.rule.versions.v1', ask);
        const found = versions.find(({ saved_at }) => saved_at <= at);
        if (found) {
          const { saved_at, saved_by, ...version } = found;
          return { ...record, ...version, updated_at: saved_at, updated_by: saved_by };
        }
        if (!pagination.has_next) return null;
      }
    },
    /** The rule in one of its versions; null when it has no such version. */
    inVersion: async ({ id }: RuleRecord, version: number) => (await readVersions(bus, [{ id, version }]))[0] ?? null,
    record: async (id: number): Promise<RuleRecord> => {
      const [record] = (await bus.request('rules.records.v1', { ids: [id] })).rules;
      if (!record) throw new ServiceError(404, 'svc_rule_not_found', `There is no rule ${id}.`, { rule_id: id });
      return record;
    },
    /** The disabled ones, in order of running, as if they were enabled. */
    disabled: async (): Promise<readonly CompiledRule[]> => {
      const records: RuleRecord[] = [];
      for (let page = 1; ; page += 1) {
        const asked = { enabled: false, page, per_page: perPage };
        const { rules, pagination } = await bus.request('rules.rule.list.v1', asked);
        records.push(...rules.map((record) => ({ ...record, enabled: true })));
        if (!pagination.has_next) break;
      }
      disabledBefore = compileRules(records, registry, disabledBefore);
      return disabledBefore.all;
    },
  };
}
