import { describeLanes, waitFor } from '@order-automation/testing';
import { openRules, type RuleDocument } from '../src/rule-documents';
import { actor, ruleData, useRules } from './rules-client';

const at = new Date(0).toISOString();
/** A rule of which nothing has been told yet, as a process leaves it that dies right after the write. */
const left = (overrides: Partial<RuleDocument>): RuleDocument => ({
  _id: 900,
  key: `left-${overrides._id ?? 900}`,
  words: ['left'],
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
  ...overrides,
});

describeLanes('saving rules', (lane) => {
  const rules = useRules(lane);

  test('a rule is created, read, kept as version 1, announced and audited', async () => {
    await rules.openAudit();
    const created = await rules.create({ enabled: true });
    expect(created).toMatchObject({ success: true, audit_logged: true, record: { version: 1, position: 0 } });
    const { record } = await rules.request('rules.rule.get.v1', { id: created.rule_id });
    expect(record).toEqual(created.record);
    expect(await rules.versionsOf(record.id)).toMatchObject([{ version: 1, rule: ruleData(), saved_by: 'admin' }]);
    expect(rules.entries).toMatchObject([{ event_type: 'rule_created', rule_id: record.id, source: 'manual' }]);
    await waitFor(() => rules.revisions.some(({ rule_id, change }) => rule_id === record.id && change === 'created'));
    expect(await rules.stored(record.id)).toMatchObject({ entries: [], announced: true, pending_since: 0 });
  });

  test('a save changes what it names, and only the version that was seen', async () => {
    await rules.openAudit();
    const { rule_id: id } = await rules.create();
    const saved = await rules.save(id, { rule: ruleData({ conditions: [] }), enabled: true }, 1);
    expect(saved.record).toMatchObject({ name: 'Big orders', enabled: true, version: 2, rule: { conditions: [] } });
    await expect(rules.save(id, { name: 'Late' }, 1)).rejects.toMatchObject({
      status: 412,
      code: 'svc_version_conflict',
      data: { version: 2 },
    });
    expect((await rules.versionsOf(id)).map(({ version, rule }) => [version, rule.conditions.length])).toEqual([
      [2, 0],
      [1, 1],
    ]);
    expect(rules.entries[1]).toMatchObject({
      event_type: 'rule_modified',
      summary: `Rule "Big orders" (${id}) was saved by admin: enabled; conditions removed: order_total`,
    });
  });

  test('of ten saves of the same version one wins; twenty without a version all do, each a version of its own', async () => {
    await rules.openAudit();
    const { rule_id: id } = await rules.create();
    const rivals = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => rules.save(id, { name: `Rival ${n}` }, 1)),
    );
    expect(rivals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (let at = 0; at < 4; at += 1) {
      await Promise.all(Array.from({ length: 5 }, (_, n) => rules.save(id, { name: `Name ${at} ${n}` })));
    }
    const versions = await rules.versionsOf(id);
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 22 }, (_, n) => 22 - n));
    expect((await rules.request('rules.rule.get.v1', { id })).record.name).toBe(versions[0]?.name);
    await waitFor(() => rules.entries.length === 22, { describe: 'one entry a version' });
    expect(new Set(rules.entries.map(({ details }) => details.version)).size).toBe(22);
  });

  test('while audit is away saves say so; the entries follow, each once', async () => {
    const created = await rules.create();
    expect(created).toMatchObject({ success: true, audit_logged: false });
    expect(created.message).toContain('will follow');
    expect(await rules.save(created.rule_id, { enabled: true })).toMatchObject({ audit_logged: false });
    expect((await rules.versionsOf(created.rule_id)).map(({ version }) => version)).toEqual([2, 1]);
    await rules.openAudit();
    rules.deps().clock.advance(10_000);
    await waitFor(() => rules.entries.length === 2, { describe: 'the entries' });
    expect(rules.entries.map(({ event_type }) => event_type)).toEqual(['rule_created', 'rule_modified']);
    await waitFor(async () => (await rules.stored(created.rule_id))?.pending_since === 0);
  }, 40_000);

  test('what a process that died left unrecorded is recorded by the next one', async () => {
    await rules.service().close();
    const documents = await openRules(rules.deps().store);
    await documents.insert(left({ pending_since: 1 }));
    await rules.start();
    await waitFor(() => rules.revisions.some(({ rule_id }) => rule_id === 900), { describe: 'rules.changed' });
    await waitFor(async () => (await rules.stored(900))?.pending_since === 0);
    expect(await rules.versionsOf(900)).toHaveLength(1);
  });

  test('a save keeps the version that it replaces, when nobody has kept it yet', async () => {
    const documents = await openRules(rules.deps().store);
    await documents.insert(left({ pending_since: rules.deps().clock.now() }));
    await rules.save(900, { name: 'Right' });
    expect((await rules.versionsOf(900)).map(({ version, name }) => [version, name])).toEqual([
      [2, 'Right'],
      [1, 'Left'],
    ]);
  });

  test('a deleted rule is gone, its versions are not', async () => {
    await rules.openAudit();
    const { rule_id: id } = await rules.create({ enabled: true });
    const stale = rules.request('rules.rule.delete.v1', { id, if_match: 2, actor });
    await expect(stale).rejects.toMatchObject({ status: 412, code: 'svc_version_conflict' });
    expect(await rules.request('rules.rule.delete.v1', { id, if_match: 1, actor })).toMatchObject({
      success: true,
      audit_logged: true,
    });
    const notFound = { status: 404, code: 'svc_rule_not_found' };
    await expect(rules.request('rules.rule.get.v1', { id })).rejects.toMatchObject(notFound);
    await expect(rules.save(id, { name: 'x' })).rejects.toMatchObject(notFound);
    await expect(rules.request('rules.rule.delete.v1', { id, if_match: null, actor })).rejects.toMatchObject(notFound);
    expect(await rules.active()).toMatchObject({ versions: [], next: null });
    expect((await rules.versionsOf(id)).map(({ version, deleted }) => [version, deleted])).toEqual([
      [2, true],
      [1, false],
    ]);
    expect(rules.entries.map(({ event_type }) => event_type)).toEqual(['rule_created', 'rule_deleted']);
    expect(await rules.stored(id)).toMatchObject({ deleted: true, entries: [], pending_since: 0 });
    expect((await rules.create()).rule_id).toBeGreaterThan(id);
  });

  test('refusals carry their code and every violation', async () => {
    const unknown = ruleData({
      trigger: { id: 'gone', settings: {} },
      conditions: [{ id: 'order_total', settings: {} }],
    });
    await expect(rules.create({ rule: unknown })).rejects.toMatchObject({
      status: 400,
      code: 'svc_unknown_component',
      data: {
        violations: [
          { path: 'rule.trigger.id' },
          { path: 'rule.conditions.0.settings.operator' },
          { path: 'rule.conditions.0.settings.amount' },
        ],
      },
    });
    const nameless = rules.request('rules.rule.create.v1', { changes: { rule: unknown }, edition: 'extended', actor });
    await expect(nameless).rejects.toMatchObject({
      code: 'rest_missing_callback_param',
      data: { violations: [{ path: 'name' }, { path: 'rule.trigger.id' }, {}, {}] },
    });
    await expect(rules.create({ rule: { trigger: null } })).rejects.toMatchObject({
      code: 'rest_missing_callback_param',
    });
    await expect(rules.create({ name: '   ' })).rejects.toMatchObject({ code: 'rest_invalid_param' });
    expect((await rules.list()).pagination.total).toBe(0);
  });
});
