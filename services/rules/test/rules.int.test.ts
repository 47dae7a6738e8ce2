import {
  type Actor,
  type EventDone,
  message,
  type NewAuditEntry,
  newId,
  type RequestInput,
  type RequestType,
  type RuleData,
} from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import type { QueryPlan } from '@order-automation/store';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { startRules } from '../src';
import { listFilter, openRules, pendingFilter, type RuleDocument, runningOrder } from '../src/rule-documents';
import { openRuleVersions } from '../src/rule-versions';

const actor: Actor = { user: 'admin', process_id: 'proc_1', user_agent: null, page_url: '/rules' };
const edition = 'default' as const;
const ruleData = (overrides: Partial<RuleData> = {}): RuleData => ({
  trigger: { id: 'order_processing', settings: {} },
  conditions: [{ id: 'order_total', settings: { operator: 'gt', amount: 50 } }],
  primaryAction: { id: 'change_status_to_completed', settings: {} },
  secondaryActions: [],
  ...overrides,
});
/** SecantusDB sorts what it found by a prefix of an index; MongoDB and SQLite read it in order. */
const walksIndex = ({ usesIndex, detail, engine }: QueryPlan): boolean =>
  usesIndex || (engine === 'secantus' && detail === 'SORT < FETCH < IXSCAN');
type Revision = { rule_id: number; revision: number; change: string };

describeLanes('rules', (lane) => {
  let opened: LaneDeps;
  let service: Service;
  let entries: NewAuditEntry[];
  let revisions: Revision[];

  const request = <T extends RequestType>(type: T, input: RequestInput<T>) => opened.bus.request(type, input);
  const start = () => startRules(opened, {});
  /** Audit as its contract says: an entry is confirmed once it is kept. */
  const openAudit = () =>
    opened.bus.respond('audit.record.v1', async (input) => {
      const known = new Set(entries.map(({ uid }) => uid));
      const fresh = input.entries.filter(({ uid }) => !known.has(uid));
      entries.push(...fresh);
      return { recorded: fresh.length, duplicates: input.entries.length - fresh.length };
    });
  const create = (changes: Partial<RequestInput<'rules.rule.create.v1'>['changes']> = {}) =>
    request('rules.rule.create.v1', { changes: { name: 'Big orders', rule: ruleData(), ...changes }, edition, actor });
  const save = (id: number, changes: RequestInput<'rules.rule.save.v1'>['changes'], if_match: number | null = null) =>
    request('rules.rule.save.v1', { id, changes, if_match, edition, actor });
  const list = (input: Partial<RequestInput<'rules.rule.list.v1'>> = {}) =>
    request('rules.rule.list.v1', { page: 1, per_page: 20, ...input });
  const versionsOf = async (id: number) => (await openRuleVersions(opened.store)).ofRule(id);
  const stored = async (id: number) => (await openRules(opened.store)).documents.findOne({ _id: id });

  beforeEach(async () => {
    opened = await lane.deps();
    entries = [];
    revisions = [];
    await opened.bus.subscribe('rules.changed.v1', null, async (messages) => {
      revisions.push(...messages.map(({ data }) => data));
    });
    service = await start();
  });
  afterEach(async () => {
    await service.close();
    await opened.close();
  });

  test('a rule is created, read, kept as version 1, announced and audited', async () => {
    await openAudit();
    const created = await create({ enabled: true });
    expect(created).toMatchObject({ success: true, audit_logged: true, record: { version: 1, position: 0 } });
    const { record } = await request('rules.rule.get.v1', { id: created.rule_id });
    expect(record).toEqual(created.record);
    expect(await versionsOf(record.id)).toMatchObject([{ version: 1, rule: ruleData(), saved_by: 'admin' }]);
    expect(entries).toMatchObject([{ event_type: 'rule_created', rule_id: record.id, source: 'manual' }]);
    await waitFor(() => revisions.some(({ rule_id, change }) => rule_id === record.id && change === 'created'));
    expect(await stored(record.id)).toMatchObject({ entries: [], announced: true, pending_since: 0 });
  });

  test('a save changes what it names, and only the version that was seen', async () => {
    await openAudit();
    const { rule_id: id } = await create();
    const saved = await save(id, { rule: ruleData({ conditions: [] }), enabled: true }, 1);
    expect(saved.record).toMatchObject({ name: 'Big orders', enabled: true, version: 2, rule: { conditions: [] } });
    await expect(save(id, { name: 'Late' }, 1)).rejects.toMatchObject({
      status: 412,
      code: 'svc_version_conflict',
      data: { version: 2 },
    });
    expect((await versionsOf(id)).map(({ version, rule }) => [version, rule.conditions.length])).toEqual([
      [2, 0],
      [1, 1],
    ]);
    expect(entries[1]).toMatchObject({
      event_type: 'rule_modified',
      summary: `Rule "Big orders" (${id}) was saved by admin: enabled; conditions removed: order_total`,
    });
  });

  test('of ten saves of the same version one wins; twenty without a version all do, each a version of its own', async () => {
    await openAudit();
    const { rule_id: id } = await create();
    const rivals = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => save(id, { name: `Rival ${n}` }, 1)));
    expect(rivals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (let at = 0; at < 4; at += 1) {
      await Promise.all(Array.from({ length: 5 }, (_, n) => save(id, { name: `Name ${at} ${n}` })));
    }
    const versions = await versionsOf(id);
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 22 }, (_, n) => 22 - n));
    expect((await request('rules.rule.get.v1', { id })).record.name).toBe(versions[0]?.name);
    await waitFor(() => entries.length === 22, { describe: 'one entry a version' });
    expect(new Set(entries.map(({ details }) => details.version)).size).toBe(22);
  });

  test('while audit is away saves say so; the entries follow, each once', async () => {
    const created = await create();
    expect(created).toMatchObject({ success: true, audit_logged: false });
    expect(created.message).toContain('will follow');
    expect(await save(created.rule_id, { enabled: true })).toMatchObject({ audit_logged: false });
    expect((await versionsOf(created.rule_id)).map(({ version }) => version)).toEqual([2, 1]);
    await openAudit();
    opened.clock.advance(10_000);
    await waitFor(() => entries.length === 2, { timeout: 20_000, describe: 'the entries' });
    expect(entries.map(({ event_type }) => event_type)).toEqual(['rule_created', 'rule_modified']);
    await waitFor(async () => (await stored(created.rule_id))?.pending_since === 0);
  }, 40_000);

  test('what a process that died left untold is told by the next one', async () => {
    await service.close();
    const rules = await openRules(opened.store);
    const at = new Date(0).toISOString();
    const left: RuleDocument = {
      _id: 900,
      name: 'Left',
      enabled: true,
      position: 0,
      stop_processing: false,
      version: 1,
      rule: ruleData(),
      created_at: at,
      updated_at: at,
      updated_by: 'admin',
      stats: { run_count: 0, match_count: 0, last_fired_at: null },
      trigger: 'order_processing',
      deleted: false,
      entries: [],
      announced: false,
      pending_since: 1,
    };
    await rules.insert(left);
    service = await start();
    await waitFor(() => revisions.some(({ rule_id }) => rule_id === 900), { describe: 'rules.changed' });
    await waitFor(async () => (await stored(900))?.pending_since === 0);
    expect(await versionsOf(900)).toHaveLength(1);
  });

  test('a deleted rule is gone, its versions are not', async () => {
    await openAudit();
    const { rule_id: id } = await create({ enabled: true });
    expect(await request('rules.rule.delete.v1', { id, actor })).toMatchObject({ success: true, audit_logged: true });
    const notFound = { status: 404, code: 'svc_rule_not_found' };
    await expect(request('rules.rule.get.v1', { id })).rejects.toMatchObject(notFound);
    await expect(save(id, { name: 'x' })).rejects.toMatchObject(notFound);
    await expect(request('rules.rule.delete.v1', { id, actor })).rejects.toMatchObject(notFound);
    expect((await request('rules.active.v1', {})).rules).toEqual([]);
    expect((await versionsOf(id)).map(({ version, deleted }) => [version, deleted])).toEqual([
      [2, true],
      [1, false],
    ]);
    expect(entries.map(({ event_type }) => event_type)).toEqual(['rule_created', 'rule_deleted']);
    expect(await stored(id)).toBeNull();
    expect((await create()).rule_id).toBeGreaterThan(id);
  });

  test('refusals carry their code and every violation', async () => {
    const unknown = ruleData({
      trigger: { id: 'gone', settings: {} },
      conditions: [{ id: 'order_total', settings: {} }],
    });
    await expect(create({ rule: unknown })).rejects.toMatchObject({
      status: 400,
      code: 'svc_unknown_component',
      data: {
        violations: [
          { path: 'trigger.id' },
          { path: 'conditions.0.settings.operator' },
          { path: 'conditions.0.settings.amount' },
        ],
      },
    });
    await expect(create({ rule: { trigger: null } })).rejects.toMatchObject({ code: 'rest_missing_callback_param' });
    await expect(create({ name: '   ' })).rejects.toMatchObject({ code: 'rest_invalid_param' });
    expect((await list()).pagination.total).toBe(0);
  });

  test('active rules come in order of running, with a revision that grows', async () => {
    const [a, b, c] = [
      await create({ enabled: true, position: 5 }),
      await create({ enabled: true, position: 1 }),
      await create({ enabled: false, position: 0 }),
    ];
    const d = await create({ enabled: true });
    const active = await request('rules.active.v1', {});
    expect(active.rules.map(({ id }) => id)).toEqual([b.rule_id, a.rule_id, d.rule_id]);
    expect(d.record.position).toBe(6);
    await save(c.rule_id, { enabled: true });
    const later = await request('rules.active.v1', {});
    expect(later.revision).toBeGreaterThan(active.revision);
    expect(later.rules.map(({ id }) => id)[0]).toBe(c.rule_id);
    await waitFor(() => revisions.some(({ revision }) => revision === later.revision));
  });

  test('the list is filtered, searched as text, and paged', async () => {
    for (const name of ['Alpha (50%)', 'beta', 'Alphabet']) await create({ name, enabled: name === 'beta' });
    const names = async (input: Parameters<typeof list>[0]) => (await list(input)).rules.map(({ name }) => name);
    expect(await names({})).toEqual(['Alpha (50%)', 'beta', 'Alphabet']);
    expect(await names({ search: 'ALPHA' })).toEqual(['Alpha (50%)', 'Alphabet']);
    expect(await names({ search: '.*' })).toEqual([]);
    expect(await names({ search: '(50%)' })).toEqual(['Alpha (50%)']);
    expect(await names({ enabled: true })).toEqual(['beta']);
    expect(await names({ enabled: false, search: 'bet' })).toEqual(['Alphabet']);
    expect(await names({ trigger: 'order_processing' })).toHaveLength(3);
    expect(await names({ trigger: 'gone' })).toEqual([]);
    expect(await list({ search: 'alpha', page: 2, per_page: 1 })).toMatchObject({
      rules: [{ name: 'Alphabet' }],
      pagination: { total: 2, total_pages: 2, current_page: 2, start_item: 2, end_item: 2, has_next: false },
    });
    expect(await list({ page: 9 })).toMatchObject({ rules: [], pagination: { total: 3, start_item: 0 } });
  });

  test('statistics add up what evaluation reports, and a save leaves them alone', async () => {
    const { rule_id: id } = await create();
    const at = (second: number) => `2026-01-15T10:00:0${second}.000Z`;
    const done = (rules: EventDone['rules']) => {
      const data = {
        event_id: newId('evt', Date.now()),
        origin: 'intake',
        outcome: 'success',
        order_id: 1,
        rules,
      } as const;
      return message('evaluation.event-done.v1', data, { now: Date.now() });
    };
    await opened.bus.publish([
      done([{ rule_id: id, matched: true, at: at(3) }]),
      done([{ rule_id: id, matched: true, at: at(2) }]),
      done([
        { rule_id: id, matched: false, at: at(4) },
        { rule_id: 123_456, matched: true, at: at(4) },
      ]),
      done([]),
    ]);
    const stats = async () => (await request('rules.rule.get.v1', { id })).record.stats;
    await waitFor(async () => (await stats()).run_count === 3);
    await save(id, { enabled: true });
    expect(await stats()).toEqual({ run_count: 3, match_count: 2, last_fired_at: at(3) });
  });

  test('components mark the trigger of the rule at hand', async () => {
    const { rule_id } = await create();
    const inRule = async (id: number | null) =>
      (await request('rules.component.list.v1', { rule_id: id, edition })).triggers.map((one) => one.already_in_rule);
    expect([await inRule(rule_id), await inRule(null), await inRule(404)]).toEqual([[true], [false], [false]]);
  });

  test('every named query walks an index', async () => {
    const { documents } = await openRules(opened.store);
    const { documents: versions } = await openRuleVersions(opened.store);
    const plans = await Promise.all([
      ...[{}, { enabled: true }, { trigger: 'order_processing' }].map((filter) =>
        opened.store.explain(documents, listFilter(filter), runningOrder),
      ),
      opened.store.explain(documents, { deleted: false }, { position: -1 }),
      opened.store.explain(documents, pendingFilter(Date.now()), { pending_since: 1 }),
      opened.store.explain(versions, { rule_id: 1 }, { version: -1 }),
    ]);
    expect(plans.map(walksIndex)).toEqual(plans.map(() => true));
  });
});
