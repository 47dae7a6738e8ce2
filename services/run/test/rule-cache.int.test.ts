import type { Bus } from '@order-automation/bus';
import type { RuleData } from '@order-automation/contracts';
import { builtInComponents, createRegistry } from '@order-automation/engine';
import { openRuleCache } from '@order-automation/evaluation';
import { startRules } from '@order-automation/rules';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';

const note = { id: 'add_order_note', settings: { note_text: 'x'.repeat(4_600) } };
/** 32 KiB of JSON. */
const rule: RuleData = {
  trigger: { id: 'order_processing', settings: {} },
  conditions: [],
  primaryAction: null,
  secondaryActions: Array.from({ length: 7 }, () => note),
};
const at = '2026-01-15T10:00:00.000Z';

/** A rule and its version as commit b457727 stored them. */
const storedVersion = (id: number) => ({
  _id: `${id}:1`,
  rule_id: id,
  version: 1,
  name: `Rule ${id}`,
  enabled: true,
  position: id,
  stop_processing: false,
  rule,
  deleted: false,
  saved_at: at,
  saved_by: 'test',
});
const stored = (id: number) => ({
  _id: id,
  key: `rule-${id}`,
  words: ['rule', String(id)],
  name: `Rule ${id}`,
  enabled: true,
  position: id,
  stop_processing: false,
  rule,
  version: 1,
  created_at: at,
  updated_at: at,
  updated_by: 'test',
  stats: { run_count: 0, match_count: 0, last_fired_at: null },
  trigger: rule.trigger.id,
  deleted: false,
  entries: [],
  announced: true,
  pending_since: 0,
});

/** The stand-in of MongoDB may take seconds for a save among a thousand rules. */
const patience = { timeout: 15_000 };
const actor = { user: 'test', process_id: 'proc_test', action: null, user_agent: null, page_url: null };

describeLanes('many large rules', (lane) => {
  // SecantusDB, which stands in for MongoDB where there is no container, takes a second for 100 of them.
  const count = lane.name === 'embedded' ? 10_000 : 1_000;
  let deps: LaneDeps;
  let close: () => Promise<void>;

  beforeAll(async () => {
    deps = await lane.deps();
    const documents = await deps.store.collection<ReturnType<typeof stored>>('rules');
    const versions = await deps.store.collection<ReturnType<typeof storedVersion>>('rule_versions');
    for (let from = 1; from <= count; from += 100) {
      const ids = Array.from({ length: 100 }, (_, index) => from + index);
      await documents.insertMany(ids.map(stored));
      await versions.insertMany(ids.map(storedVersion));
    }
    const counters = await deps.store.collection<{ _id: string; value: number }>('counters');
    await counters.insertOne({ _id: 'rule_id', value: count });
    await deps.bus.respond('audit.record.v2', async ({ records }) => ({ recorded: records.length, duplicates: 0 }));
    ({ close } = await startRules(deps, { extensions: [] }));
  }, 180_000);
  afterAll(async () => {
    await close();
    await deps.close();
  }, 60_000);

  test(`${count} rules of 32 KiB are read in pages; of a change only the rule that changed is`, async () => {
    const asked: number[] = [];
    let versionLists = 0;
    /** Of this rule no message arrives. */
    const missed = 11;
    const bus: Bus = {
      ...deps.bus,
      request: async (type, input, options) => {
        if (type === 'rules.records.v1') asked.push((input as { ids: number[] }).ids.length);
        if (type === 'rules.version.get.v1') asked.push((input as { versions: object[] }).versions.length);
        const answer = await deps.bus.request(type, input, options);
        if (((answer as { versions?: unknown[] }).versions ?? []).length > 0) versionLists += 1;
        return answer;
      },
      subscribe: (type, group, handler, options) =>
        deps.bus.subscribe(
          type,
          group,
          (messages) => handler(messages.filter(({ data }) => (data as { rule_id?: number }).rule_id !== missed)),
          options,
        ),
    };
    const registry = createRegistry(builtInComponents);
    const started = performance.now();
    const cache = await openRuleCache({ ...deps, bus }, registry);
    expect(performance.now() - started).toBeLessThan(90_000);
    expect(cache.current().all).toHaveLength(count);
    expect(asked.length).toBeGreaterThan(count / 20);

    expect(versionLists).toBeGreaterThan(0);

    const before = cache.current();
    asked.length = 0;
    versionLists = 0;
    const changes = { name: 'Changed' };
    await deps.bus.request(
      'rules.rule.save.v1',
      { id: 7, changes, if_match: null, edition: 'extended', actor },
      patience,
    );
    await waitFor(() => cache.current() !== before, { timeout: 60_000 });
    expect(cache.current().all.find(({ record }) => record.id === 7)?.record).toMatchObject({
      version: 2,
      name: 'Changed',
    });
    expect([asked, versionLists]).toEqual([[1], 0]);
    expect(cache.current().all.filter((one, index) => before.all[index] !== one)).toHaveLength(1);

    // An event keeps the versions it began with, also where the cache never had them.
    const made = { changes: { name: 'Draft', rule }, edition: 'extended', actor } as const;
    const draft = await deps.bus.request('rules.rule.create.v1', made, patience);
    const began = [
      { id: 7, version: 1 },
      { id: draft.rule_id, version: 1 },
      { id: 8, version: 1 },
    ];
    const versions = await cache.versions(began);
    expect(versions.map(({ record }) => record.name)).toEqual(['Rule 7', 'Draft', 'Rule 8']);

    // Rules that are switched off or deleted are gone; a message that is lost makes the cache compare all.
    const save = (id: number, change: { enabled: boolean }) =>
      deps.bus.request(
        'rules.rule.save.v1',
        { id, changes: change, if_match: null, edition: 'extended', actor },
        patience,
      );
    const has = (id: number) => cache.current().all.some(({ record }) => record.id === id);
    await deps.bus.request('rules.rule.delete.v1', { id: 9, if_match: null, actor }, patience);
    await save(10, { enabled: false });
    await waitFor(() => !has(9) && !has(10), { timeout: 60_000 });
    expect([cache.current().all.length, versionLists]).toEqual([count - 2, 0]);
    await save(missed, { enabled: false });
    await save(10, { enabled: true });
    await save(12, { enabled: false });
    await waitFor(() => !has(missed) && !has(12) && has(10), { timeout: 60_000 });
    expect(versionLists).toBeGreaterThan(0);
    await cache.close();
  }, 300_000);
});
