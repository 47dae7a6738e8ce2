import type { AuditFilters } from '@order-automation/contracts';
import { describeLanes } from '@order-automation/testing';
import { explain, type QueryPlan } from '../../../shared/store/test/explain';
import { selectionOf, walksOf } from '../src/reading/selection';
import { newestFirst, within } from '../src/records/record-queries';
import { openLog } from './log';

const facets = [
  'webhook success webhook_received',
  'webhook error action_failed',
  'webhook success webhook_received test',
  'automation skipped rule_evaluation',
];

/** SecantusDB sorts what MongoDB reads in the order of a compound index behind an equality. */
const walksIndex = ({ usesIndex, engine, detail }: QueryPlan): boolean =>
  usesIndex || (engine === 'secantus' && detail === 'SORT < FETCH < IXSCAN');

/** What is walked, by the terms of each walk. */
const cases: [string, Partial<AuditFilters>, string[][]][] = [
  ['no filter', { include_test: true, include_debug: true }, [[]]],
  ['hidden tests', {}, [['k:normal']]],
  ['status', { status: ['error'] }, [['f:webhook:error:action_failed']]],
  ['order', { order_id: [1] }, [['o:1']]],
  [
    'orders and status',
    { order_id: [1, 2], status: ['error'] },
    [
      ['o:1', 'f:webhook:error:action_failed'],
      ['o:2', 'f:webhook:error:action_failed'],
    ],
  ],
  ['rule', { rule_id: [7] }, [['r:7']]],
  ['rule and order', { rule_id: [7], order_id: [1] }, [['o:1', 'r:7']]],
  ['time', { date_from: '2026-02-01T00:00:00.000Z' }, [['k:normal']]],
  ['words', { search: 'total 49.00' }, [['total', '49', '00']]],
];

describeLanes('audit: plans', (lane) => {
  test('every list walks the index of terms or the ids, in its order', async () => {
    const deps = await lane.deps();
    const log = await openLog(deps);
    const { documents } = log.records;
    for (const [name, given, terms] of cases) {
      const filters = { include_debug: false, include_test: false, ...given };
      const walks = walksOf(selectionOf(filters, facets, log.keys));
      expect([name, walks]).toEqual([name, terms.map((all) => (all.length === 0 ? {} : { terms: { $all: all } }))]);
      for (const range of [{}, { below: 5 }, { from: 2, below: 5 }]) {
        for (const walk of walks) {
          const plan = await explain(deps.store, documents, within(range, walk), newestFirst);
          // SecantusDB scans for words, and where the sort alone names an index.
          if (plan.engine === 'secantus') continue;
          expect([name, plan.usesIndex, plan.detail]).toEqual([name, true, plan.detail]);
          if (plan.engine !== 'sqlite' || !('terms' in walk)) continue;
          const bounds = `${range.below ? '<' : ''}${range.from ? '>' : ''}`;
          expect([name, plan.detail]).toEqual([name, expect.stringContaining(`VIRTUAL TABLE INDEX`)]);
          for (const bound of bounds)
            expect([name, plan.detail.split(';')[0]]).toEqual([name, expect.stringContaining(bound)]);
        }
      }
    }
    await deps.close();
  });

  test('many facets are one walk, many orders are tested one by one', () => {
    const all = { include_debug: true, include_test: true };
    const many = Array.from({ length: 40 }, (_, index) => `webhook success type_${index}`);
    const walksFor = (filters: Partial<AuditFilters>) =>
      walksOf({ filters: { ...all, ...filters }, facets: new Set(many), sought: undefined });
    expect(walksFor({ status: ['success'] })).toEqual([{}]);
    expect(walksFor({ process_id: ['a', 'b'] })).toEqual([{ process_id: 'a' }, { process_id: 'b' }]);
    expect(walksFor({ order_id: [1, 2], rule_id: many.map((_, index) => index) })).toEqual([
      { terms: { $all: ['o:1'] } },
      { terms: { $all: ['o:2'] } },
    ]);
  });

  test('records, processes, seals and ranges are found by an index', async () => {
    const deps = await lane.deps();
    const log = await openLog(deps);
    const { store } = deps;
    const plans = [
      await explain(store, log.records.documents, { _id: { $in: [1, 2] } }),
      await explain(store, log.records.documents, { process_id: { $in: ['proc_1', 'proc_2'] } }),
      await explain(store, log.processes.documents, { visibility: 'normal' }, { started_at: -1, _id: -1 }),
      await explain(store, log.seals.documents, { below: { $gt: 5 } }, { below: 1 }),
      await explain(store, log.totals.counts.documents, { changed_at: { $gte: 5 } }, { changed_at: 1 }),
    ];
    expect(plans.filter((plan) => !walksIndex(plan))).toEqual([]);
    // SecantusDB plans with one condition alone.
    for (const query of [
      { process_id: 'proc_1', uid: 'evt_1' },
      { process_id: { $in: ['proc_1'] }, uid: { $in: ['evt_1'] } },
    ]) {
      const { engine, usesIndex } = await explain(store, log.records.documents, query);
      if (engine !== 'secantus') expect(usesIndex).toBe(true);
    }
    await deps.close();
  });
});
