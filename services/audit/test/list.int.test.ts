import { type AuditEntry, newAuditEntrySchema } from '@order-automation/contracts';
import { buildAuditEntry, describeLanes, type LaneDeps } from '@order-automation/testing';
import { startAudit } from '../src';
import { auditConfig, list, processView, type Query, record, story } from './audit';

describeLanes('audit: list', (lane) => {
  let deps: LaneDeps;
  let close: () => Promise<void>;

  beforeAll(async () => {
    deps = await lane.deps();
    close = (await startAudit(deps, auditConfig)).close;
    await record(deps.bus, story('proc_1', { order_id: 1 }));
    await record(deps.bus, story('proc_2', { order_id: 2, source: 'automation' }));
    const failed = story('proc_3', { order_id: 2 });
    await record(deps.bus, [
      ...failed,
      { ...buildAuditEntry(), ...failed[2], uid: 'f', event_type: 'action_failed', status: 'error' },
    ]);
    await record(deps.bus, story('proc_4', { is_test: true }));
    await record(deps.bus, story('proc_5', { is_debug: true }));
    const [reception, debug] = story('proc_6');
    await record(deps.bus, [
      newAuditEntrySchema.parse(reception),
      newAuditEntrySchema.parse({ ...debug, is_debug: true }),
    ]);
  });
  afterAll(() => close());

  const processes = async (query: Query) =>
    (await list(deps.bus, { view: 'consolidated', ...query })).logs.map(({ process_id }) => process_id);

  test('the consolidated view has one row a process, the latest first, shown by its most important entry', async () => {
    const { logs, pagination, is_truncated } = await list(deps.bus, { view: 'consolidated' });
    expect(logs.map(({ process_id, event_type, process_count }) => [process_id, event_type, process_count])).toEqual([
      ['proc_6', 'webhook_received', 1],
      ['proc_3', 'action_failed', 5],
      ['proc_2', 'process_completed', 4],
      ['proc_1', 'process_completed', 4],
    ]);
    expect(logs[1]).toMatchObject({ is_process_group: true, status: 'error', order_id: 2 });
    const [began, ended] = [logs[3]?.started_at, logs[3]?.ended_at].map((time) => Date.parse(time ?? ''));
    expect((ended ?? 0) - (began ?? 0)).toBe(3_000);
    expect([pagination.total, is_truncated]).toEqual([4, false]);
  });

  test.each<[string, Query, string[]]>([
    ['tests', { include_test: true }, ['proc_6', 'proc_4', 'proc_3', 'proc_2', 'proc_1']],
    ['debug', { include_debug: true }, ['proc_6', 'proc_5', 'proc_3', 'proc_2', 'proc_1']],
    ['one order', { order_id: [2] }, ['proc_3', 'proc_2']],
    ['errors', { status: ['error'] }, ['proc_3']],
    ['one source', { source: ['automation'] }, ['proc_3', 'proc_2', 'proc_1']],
    ['one rule and one order', { rule_id: [7], order_id: [1] }, ['proc_1']],
    ['one event type', { event_type: ['webhook_received'], source: ['webhook'] }, ['proc_6', 'proc_3', 'proc_1']],
    ['one process', { process_id: ['proc_2'] }, ['proc_2']],
    ['nothing', { source: ['scheduled'] }, []],
    ['the second page', { page: 2, per_page: 3 }, ['proc_1']],
    ['past the end', { page: 9, per_page: 3 }, []],
  ])('consolidated: %s', async (_, query, expected) => {
    expect(await processes(query)).toEqual(expected);
  });

  test('an outcome that waits for calls gives way to the last of them once all are delivered', async () => {
    const own = await lane.deps();
    const audit = await startAudit(own, auditConfig);
    const [reception, rule, action, outcome] = story('proc_1');
    if (!reception || !rule || !action || !outcome) throw new Error('a story has four entries');
    const delivered = (id: string) => ({
      ...buildAuditEntry(),
      ...action,
      uid: `${id}:delivered`,
      summary: `${id} is delivered`,
      timestamp: new Date(Date.parse(outcome.timestamp) + 1_000).toISOString(),
      details: { delivery: { id }, result: 'delivered' },
    });
    const shown = async (query = {}) =>
      (await list(own.bus, { view: 'consolidated', ...query })).logs.map(({ summary }) => summary);
    const waits = {
      ...outcome,
      status: 'pending',
      summary: '2 to be delivered',
      details: { actions_open: 2 },
    } as const;
    // The first is faster than its event.
    await record(own.bus, [reception, rule, action, delivered('a')]);
    await record(own.bus, [{ ...waits, process_id: 'proc_1', uid: 'outcome' }]);
    expect(await shown()).toEqual(['2 to be delivered']);
    await record(own.bus, [delivered('b')]);
    expect(await shown()).toEqual(['b is delivered']);
    expect(await shown({ order_id: [Number(action.order_id)] })).toEqual(['b is delivered']);
    expect(await shown({ status: ['pending'] })).toEqual(['2 to be delivered']);
    await audit.close();
  });

  test('a filtered row shows an entry that matches the filter', async () => {
    const { logs } = await list(deps.bus, { view: 'consolidated', event_type: ['rule_evaluation'] });
    expect(logs.map(({ event_type }) => event_type)).toEqual(['rule_evaluation', 'rule_evaluation', 'rule_evaluation']);
  });

  test('the flat view has every entry, the latest first, and pages that fit together', async () => {
    const whole = await list(deps.bus, { per_page: 100, include_test: true, include_debug: true });
    expect(whole.pagination.total).toBe(23);
    const ids = whole.logs.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const pages: AuditEntry[] = [];
    for (const page of [1, 2, 3, 4])
      pages.push(...(await list(deps.bus, { page, per_page: 6, include_test: true, include_debug: true })).logs);
    expect(pages).toEqual(whole.logs);
    const past = await list(deps.bus, { page: 5, per_page: 6 });
    expect([past.logs, past.pagination.total, past.pagination.start_item, past.pagination.has_next]).toEqual([
      [],
      14,
      0,
      false,
    ]);
  });

  test('flat filters', async () => {
    const counts = async (query: Query) => (await list(deps.bus, query)).pagination.total;
    expect(await counts({})).toBe(14);
    expect(await counts({ order_id: [2] })).toBe(9);
    expect(await counts({ status: ['error'], rule_id: [7] })).toBe(1);
    expect(await counts({ include_test: true, event_type: ['process_completed'] })).toBe(4);
    expect((await list(deps.bus, { status: ['error'] })).logs[0]).toMatchObject({
      process_id: 'proc_3',
      parent_id: expect.any(Number),
    });
  });

  test('a search finds entries by all of its words, by ids and by a whole e-mail address', async () => {
    const own = await lane.deps();
    const service = await startAudit(own, auditConfig);
    const logged = (index: number, summary: string, details = {}) =>
      buildAuditEntry({ process_id: `proc_s${index}`, order_id: 4000 + index, summary, details });
    await record(own.bus, [
      logged(1, 'Rule "Große Bestellung" did not match: total 49.00.', { transaction_id: 'pi_3Abc' }),
      logged(2, 'Mail to ada@example.com was sent.'),
      logged(3, 'Mail to bob@example.com was sent, the total was 49.00.'),
    ]);
    const found = async (search: string, more: Query = {}) => {
      const [flat, grouped] = [
        await list(own.bus, { search, ...more }),
        await list(own.bus, { search, ...more, view: 'consolidated' }),
      ];
      const ids = (logs: readonly AuditEntry[]) => logs.map(({ order_id }) => (order_id ?? 0) - 4000).sort();
      expect(ids(grouped.logs)).toEqual(ids(flat.logs));
      expect(flat.pagination.total).toBe(flat.logs.length);
      return ids(flat.logs);
    };
    expect(await found('total 49.00')).toEqual([1, 3]);
    expect(await found('GROSSE bestellung')).toEqual([]);
    expect(await found('große BESTELLUNG')).toEqual([1]);
    expect(await found('pi_3Abc')).toEqual([1]);
    expect(await found('4002')).toEqual([2]);
    expect(await found('Ada@example.com')).toEqual([2]);
    expect(await found('mail sent', { order_id: [4003] })).toEqual([3]);
    expect(await found('mail', { status: ['error'] })).toEqual([]);
    expect(await found('!?')).toEqual([]);
    await service.close();
  });

  test('the process view has every entry, also tests and debug', async () => {
    expect(await processView(deps.bus, 'proc_4')).toHaveLength(4);
    expect((await processView(deps.bus, 'proc_6')).map(({ is_debug }) => is_debug)).toEqual([false, true]);
  });

  test('more than 500 processes are cut at 500, and said to be', async () => {
    const own = await lane.deps();
    const service = await startAudit(own, auditConfig);
    const entries = Array.from({ length: 501 }, (_, index) =>
      buildAuditEntry({ process_id: `proc_${index}`, rule_id: 3 }),
    );
    await record(own.bus, entries.slice(0, 500));
    for (const query of [{}, { rule_id: [3] }]) {
      const full = await list(own.bus, { view: 'consolidated', per_page: 200, page: 3, ...query });
      expect([full.logs.length, full.pagination.total, full.is_truncated]).toEqual([100, 500, false]);
    }
    await record(own.bus, entries);
    for (const query of [{}, { rule_id: [3] }]) {
      const cut = await list(own.bus, { view: 'consolidated', per_page: 200, page: 3, ...query });
      expect([cut.logs.length, cut.pagination.total, cut.is_truncated]).toEqual([100, 500, true]);
    }
    expect((await list(own.bus)).pagination.total).toBe(501);
    await service.close();
  });
});
