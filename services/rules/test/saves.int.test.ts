import { auditEntry } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { crashingStore } from '../../../shared/store/test/crashing-store';
import { startRules } from '../src';
import { openRules } from '../src/documents/rule-documents';
import { actor, ruleData, useRules } from './rules-client';

const at = new Date(0).toISOString();
/** A rule of which nothing has been told yet, as a process of commit b457727 left it that died right after the write. */
const left = (overrides: object = {}) => ({
  _id: 900,
  key: 'left',
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
  entries: [] as object[],
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
    expect(await rules.stored(record.id)).toMatchObject({ name: 'Big orders', version: 1, deleted: false });
    await waitFor(async () => (await rules.storedSet()).isSettled);
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
      summary: `Rule "Big orders" (${id}) was saved by admin: enabled; conditions removed: order total`,
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
    await waitFor(async () => (await rules.storedSet()).isSettled);
  }, 40_000);

  /** A database as commit b457727 left it: with these rules, and without a rule set. */
  async function earlier(...stored: ReturnType<typeof left>[]): Promise<void> {
    await rules.service().close();
    await (await rules.storedSet()).documents.deleteMany({});
    await (await openRules(rules.deps().store)).documents.insertMany(stored);
    const counters = await rules.deps().store.collection<{ _id: string; value: number }>('counters');
    await counters.insertOne({ _id: 'revision', value: 40 });
  }

  const entryOf900 = auditEntry({
    uid: 'uid-900',
    timestamp: at,
    event_type: 'rule_created',
    source: 'api',
    summary: 'Rule "Left" (900) was created by admin',
    process_id: 'proc_1',
    rule_id: 900,
    details: {},
  });

  test('what a process of commit b457727 that died left unrecorded is recorded by the next one', async () => {
    await rules.openAudit();
    await earlier(left({ entries: [entryOf900] }));
    await rules.start();
    await waitFor(() => rules.revisions.some(({ revision }) => revision > 40), { describe: 'rules.changed' });
    await waitFor(() => rules.entries.length === 1, { describe: 'its entry' });
    await waitFor(async () => (await rules.storedSet()).isSettled);
    expect(await rules.versionsOf(900)).toHaveLength(1);
    expect(rules.entries).toMatchObject([{ uid: 'uid-900', event_type: 'rule_created' }]);
  });

  test('a save keeps the version that it replaces, also one that commit b457727 had not kept yet', async () => {
    await earlier(left({ pending_since: rules.deps().clock.now() }));
    await rules.start();
    await rules.save(900, { name: 'Right' });
    expect((await rules.versionsOf(900)).map(({ version, name }) => [version, name])).toEqual([
      [2, 'Right'],
      [1, 'Left'],
    ]);
  });

  test('two instances that start together make one set of the rules of commit b457727', async () => {
    await earlier(
      left(),
      left({ _id: 901, key: 'gone', deleted: true }),
      left({ _id: 902, key: 'off', enabled: false }),
    );
    const other = await Promise.all([rules.start(), startRules(rules.deps(), { extensions: [] })]);
    const { rules: members, revision } = await rules.storedSet();
    expect(members.map(({ id, version, enabled, key }) => [id, version, enabled, key])).toEqual([
      [900, 1, true, 'left'],
      [902, 1, false, 'off'],
    ]);
    expect(revision).toBeGreaterThan(40);
    expect((await rules.active()).versions).toEqual([{ id: 900, version: 1 }]);
    await other[1].close();
  });

  test('an import that commit b457727 left unfinished is finished', async () => {
    const kept = { pending_since: 0 };
    await earlier(
      left({ ...kept, version: 2, name: 'New' }),
      left({ ...kept, _id: 901, key: 'b' }),
      left({ ...kept, _id: 902, key: 'c' }),
    );
    const { store } = rules.deps();
    const versions = await store.collection<{ _id: string }>('rule_versions');
    const was = { version: 1, name: 'Left', enabled: true, position: 0, stop_processing: false, rule: ruleData() };
    for (const [rule_id, version] of [
      [900, 1],
      [900, 2],
      [901, 1],
      [902, 1],
    ])
      await versions.insertOne({
        ...was,
        _id: `${rule_id}:${version}`,
        rule_id,
        version,
        deleted: false,
        saved_at: at,
        saved_by: 'admin',
      } as never);
    const counters = await store.collection<{ _id: string; value: number; stage?: number }>('counters');
    await counters.updateOne({ _id: 'revision' }, { $set: { stage: 3 } });
    const fields = { name: 'New', enabled: true, position: 0, stop_processing: false, rule: ruleData() };
    const steps = await store.collection<{ _id: number }>('rule_import_steps');
    await steps.insertMany([
      { _id: 0, rule_id: 900, version: 1, fields, actor },
      { _id: 1, rule_id: 901, version: 1, fields, actor },
      { _id: 2, rule_id: 902, version: 1, fields: null, actor },
    ] as never);
    await rules.start();
    expect((await rules.active()).versions).toEqual([
      { id: 900, version: 2 },
      { id: 901, version: 2 },
    ]);
    rules.deps().clock.advance(10_000);
    await waitFor(async () => (await rules.stored(902))?.deleted === true);
    expect((await rules.list()).rules.map(({ name }) => name)).toEqual(['New', 'New']);
    expect([await steps.countDocuments({}), (await counters.findOne({ _id: 'revision' }))?.stage]).toEqual([0, 4]);
  });

  test('a save whose process dies at any of its writes has never been, or everything follows from it', async () => {
    await rules.openAudit();
    const { rule_id: id } = await rules.create({ name: 'At first' });
    let died = 0;
    for (let write = 1; write <= 14; write += 1) {
      await rules.service().close();
      const store = crashingStore(rules.deps().store, { at: write, stored: write % 2 === 0 });
      const dying = await startRules({ ...rules.deps(), store }, { extensions: [] }).catch(() => null);
      const name = `Write ${write}`;
      if (dying && !(await rules.save(id, { name }).catch(() => null))) died += 1;
      await dying?.close();
      await rules.start();
      rules.deps().clock.advance(31_000);
      await waitFor(async () => (await rules.storedSet()).isSettled);
      const { record } = await rules.request('rules.rule.get.v1', { id });
      expect((await rules.storedSet()).rules).toMatchObject([{ id, version: record.version }]);
      const saved = (await rules.versionsOf(id)).filter(({ version }) => version <= record.version);
      expect([saved[0]?.name, saved[0]?.version]).toEqual([record.name, record.version]);
      await waitFor(() => rules.entries.filter(({ rule_id }) => rule_id === id).length === saved.length);
    }
    expect(died).toBeGreaterThan(2);
  }, 240_000);

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
    expect(await rules.stored(id)).toMatchObject({ deleted: true, version: 2 });
    await waitFor(async () => (await rules.storedSet()).isSettled);
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
