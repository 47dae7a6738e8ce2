import { type AuditEntry, type AuditFilters, newAuditEntrySchema } from '@order-automation/contracts';
import type { Filter, QueryPlan } from '@order-automation/store';
import { buildAuditEntry, describeLanes, type LaneDeps } from '@order-automation/testing';
import { startAudit } from '../src';
import { openBundles } from '../src/bundles';
import type { BundleDocument } from '../src/bundling';
import { openEntryIds } from '../src/entry-ids';
import { matches } from '../src/logged-entry';
import type { Outline } from '../src/outlines';
import { processQueries, timelineSort } from '../src/processes';
import { bundleQueries, type Selection, selectionOf } from '../src/selection';
import { newTallies } from '../src/tallies';
import { openTotals } from '../src/totals';
import { list, processView, type Query, record, story } from './audit';

/** SecantusDB sorts what MongoDB reads in the order of a compound index behind an equality. */
const walksIndex = ({ usesIndex, engine, detail }: QueryPlan): boolean =>
  usesIndex || (engine === 'secantus' && detail === 'SORT < FETCH < IXSCAN');

/** The few bundles of a process are found by an index and sorted then. */
const findsByIndex = ({ usesIndex, detail }: QueryPlan): boolean => usesIndex || /bundles__process|IXSCAN/.test(detail);

describeLanes('audit: list', (lane) => {
  let deps: LaneDeps;
  let close: () => Promise<void>;

  beforeAll(async () => {
    deps = await lane.deps();
    close = (await startAudit(deps, {})).close;
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

  test('the consolidated view has one row a process, the latest first, told by its most telling entry', async () => {
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
    ['one order', { order_id: 2 }, ['proc_3', 'proc_2']],
    ['errors', { status: 'error' }, ['proc_3']],
    ['one source', { source: 'automation' }, ['proc_3', 'proc_2', 'proc_1']],
    ['one rule and one order', { rule_id: 7, order_id: 1 }, ['proc_1']],
    ['one event type', { event_type: 'webhook_received', source: 'webhook' }, ['proc_6', 'proc_3', 'proc_1']],
    ['one process', { process_id: 'proc_2' }, ['proc_2']],
    ['nothing', { source: 'scheduled' }, []],
    ['the second page', { page: 2, per_page: 3 }, ['proc_1']],
    ['past the end', { page: 9, per_page: 3 }, []],
  ])('consolidated: %s', async (_, query, expected) => {
    expect(await processes(query)).toEqual(expected);
  });

  test('a filtered row shows an entry that matches the filter', async () => {
    const { logs } = await list(deps.bus, { view: 'consolidated', event_type: 'rule_evaluation' });
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
    expect(await counts({ order_id: 2 })).toBe(9);
    expect(await counts({ status: 'error', rule_id: 7 })).toBe(1);
    expect(await counts({ include_test: true, event_type: 'process_completed' })).toBe(4);
    expect((await list(deps.bus, { status: 'error' })).logs[0]).toMatchObject({
      process_id: 'proc_3',
      parent_id: expect.any(Number),
    });
  });

  test('the process view has every entry, also tests and debug', async () => {
    expect(await processView(deps.bus, 'proc_4')).toHaveLength(4);
    expect((await processView(deps.bus, 'proc_6')).map(({ is_debug }) => is_debug)).toEqual([false, true]);
  });

  test('more than 500 processes are cut at 500, and said to be', async () => {
    const own = await lane.deps();
    const service = await startAudit(own, {});
    const entries = Array.from({ length: 501 }, (_, index) =>
      buildAuditEntry({ process_id: `proc_${index}`, rule_id: 3 }),
    );
    await record(own.bus, entries.slice(0, 500));
    for (const query of [{}, { rule_id: 3 }]) {
      const full = await list(own.bus, { view: 'consolidated', per_page: 200, page: 3, ...query });
      expect([full.logs.length, full.pagination.total, full.is_truncated]).toEqual([100, 500, false]);
    }
    await record(own.bus, entries);
    for (const query of [{}, { rule_id: 3 }]) {
      const cut = await list(own.bus, { view: 'consolidated', per_page: 200, page: 3, ...query });
      expect([cut.logs.length, cut.pagination.total, cut.is_truncated]).toEqual([100, 500, true]);
    }
    expect((await list(own.bus)).pagination.total).toBe(501);
    await service.close();
  });

  test('totals and deep pages stay exact while ranges close, for several instances', async () => {
    const own = await lane.deps();
    const service = await startAudit(own, {});
    const bundles = await openBundles(own.store);
    const ids = await openEntryIds(own.store, own.clock);
    const totals = await openTotals(own.store, bundles, ids, newTallies(8));
    const others = await openTotals(own.store, bundles, ids, newTallies(8));
    const shown = { include_debug: false, include_test: false };
    const errors = { ...shown, status: 'error' as const };
    for (let round = 0; round < 6; round += 1) {
      const some = Array.from({ length: round === 1 ? 240 : 9 }, (_, index) =>
        buildAuditEntry({
          status: index % 3 === 0 ? 'error' : 'success',
          event_type: index % 2 === 0 ? 'rule_evaluation' : 'action_failed',
          is_test: index === 3 && round > 1,
          process_id: `proc_${round}_${Math.floor(index / 3)}`,
        }),
      );
      await record(own.bus, some);
      if (round === 4) own.clock.advance(31_000);
      await Promise.all([totals.roll(), others.roll()]);
      const all = await bundles.documents.find({}).sort({ _id: -1 }).toArray();
      const stored = (await bundles.byIds(all.map(({ _id }) => _id))).sort((a, b) => b.id - a.id);
      for (const filters of [shown, errors]) {
        const selection = await bundles.select(filters);
        const wanted = stored.filter((entry) => matches(entry, filters)).map(({ id }) => id);
        for (let offset = 0; offset < wanted.length; offset += offset < 12 ? 1 : 13) {
          const { total, ...position } = await totals.locate(selection, offset);
          const page = await bundles.page(selection, position, 4);
          expect([total, ...page.map(({ id }) => id)]).toEqual([wanted.length, ...wanted.slice(offset, offset + 4)]);
        }
      }
    }
    expect((await totals.documents.find({}).toArray()).length).toBeGreaterThan(3);
    const selection = await bundles.select(errors);
    expect(await others.locate(selection, 3)).toEqual(await totals.locate(selection, 3));
    await service.close();
  });

  test('every named query walks an index', async () => {
    const bundles = await openBundles(deps.store);
    const newest = { _id: -1 } as const;
    const { engine } = await deps.store.explain(bundles.documents, bundleQueries.byIds([1]));
    // SecantusDB plans with an index for one condition only; what a list filters besides is left out there.
    const single = engine === 'secantus';
    const success = { facet: 'webhook success webhook_received', order: true, rule: false };
    const failed = { facet: 'webhook error action_failed', order: true, rule: true };
    const test = { ...success, facet: 'webhook success webhook_received test' };
    const existing: Outline[] = [[success, failed], [success], [failed, failed], [test]].map((parts, index) => ({
      _id: String(index),
      parts,
    }));
    const select = (filters: Partial<AuditFilters>) =>
      selectionOf({ include_debug: single, include_test: single, ...filters }, single ? [] : existing);
    const explain = (filter: Filter<BundleDocument>, sort?: typeof newest) =>
      deps.store.explain(bundles.documents, filter, sort);
    const references = [
      { process_id: 'proc_1' },
      { order_id: 1 },
      { rule_id: 7 },
      { order_id: 1, rule_id: 7, status: 'error' as const },
    ];
    const listed = [{}, { include_test: true }, { status: 'error' as const }, ...references].map(select);
    const ranges = single ? [{}] : [{}, { below: 5 }, { from: 5 }];
    const walks = listed.flatMap((selection) => bundleQueries.walks(selection));
    const [ofProcess, others] = [true, false].map((of) =>
      walks.filter((walk) => (walk.process_id !== undefined) === of),
    );
    const inRanges = (filters: Filter<BundleDocument>[] = []) =>
      filters.flatMap((filter) => ranges.map((range) => explain(bundleQueries.within(range, filter), newest)));
    const counted = single ? [] : listed.flatMap((selection) => bundleQueries.counted(selection, { from: 5 }));
    const plans = await Promise.all([
      ...inRanges(others),
      ...counted.map(([, filter]) => explain(filter)),
      explain(bundleQueries.byIds([1, 2])),
      explain(bundleQueries.ofProcesses(['proc_1', 'proc_2'])),
      ...(single ? [] : [explain(processQueries.firsts(['proc_1', 'proc_2']))]),
      deps.store.explain(bundles.documents, processQueries.timeline('normal'), timelineSort),
    ]);
    expect(plans.filter((plan) => !walksIndex(plan))).toEqual([]);
    expect((await Promise.all(inRanges(ofProcess))).filter((plan) => !findsByIndex(plan))).toEqual([]);
    if (engine !== 'sqlite') return;
    const indexOf = async (filter: Filter<BundleDocument>, sort?: typeof newest) =>
      /bundles__\w+/.exec((await explain(filter, sort)).detail)?.[0];
    const [, hidden, status] = listed;
    const sorted = references.map((filters) => indexOf(bundleQueries.walks(select(filters))[0] ?? {}, newest));
    expect(await Promise.all(sorted)).toEqual([
      'bundles__process',
      'bundles__order',
      'bundles__rule',
      'bundles__order',
    ]);
    for (const selection of [hidden, status])
      for (const [, filter] of bundleQueries.counted(selection as Selection, { from: 5 }))
        expect(await indexOf(filter)).toBe('bundles__outline');
  });
});
