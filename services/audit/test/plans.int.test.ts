import type { AuditFilters } from '@order-automation/contracts';
import type { Filter, QueryPlan, Sort } from '@order-automation/store';
import { describeLanes } from '@order-automation/testing';
import { entryQueries, newestFirst } from '../src/entries';
import type { EntryDocument } from '../src/entry';
import { processQueries, timelineSort } from '../src/processes';
import { countsOf, selectionOf, walksOf } from '../src/selection';
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

const cases: [string, Partial<AuditFilters>, string | RegExp][] = [
  ['no filter', { include_test: true }, /entries/],
  ['hidden tests', {}, 'entries__facet'],
  ['status', { status: ['error'] }, 'entries__facet'],
  ['order', { order_id: [1] }, 'entries__order'],
  ['orders and status', { order_id: [1, 2], status: ['error'] }, 'entries__order'],
  ['rule', { rule_id: [7] }, 'entries__rule'],
  ['rule and order', { rule_id: [7], order_id: [1] }, 'entries__order'],
  ['rule and time', { rule_id: [7], date_from: '2026-02-01T00:00:00.000Z' }, 'entries__rule'],
  ['e-mail address', { search: 'ada@example.com' }, 'entries__email'],
  ['words', { search: 'total 49.00' }, /words/],
];

describeLanes('audit: plans', (lane) => {
  test('every list walks an index, in its order', async () => {
    const deps = await lane.deps();
    const log = await openLog(deps);
    const { documents } = log.entries;
    const explain = (filter: Filter<EntryDocument>, sort?: Sort<EntryDocument>) =>
      deps.store.explain(documents, filter, sort);
    const { engine } = await explain(entryQueries.byIds([1]));
    // SecantusDB plans with an index for one condition only, and with none that is partial.
    const single = engine === 'secantus';
    const asked = single ? cases.filter(([name]) => name === 'status') : cases;
    const ranges = single ? [{}] : [{}, { below: 5 }];
    for (const [name, given, index] of asked) {
      const filters = { include_debug: single, include_test: single, ...given };
      const selection = selectionOf(filters, facets, log.keys);
      const walks = walksOf(selection).slice(0, 3);
      expect(walks.length).toBeGreaterThan(0);
      for (const range of ranges) {
        for (const walk of walks) {
          const plan = await explain(entryQueries.within(range, walk), newestFirst);
          expect([name, walksIndex(plan), plan.detail]).toEqual([name, true, plan.detail]);
          if (engine === 'sqlite') expect([name, plan.detail]).toEqual([name, expect.stringMatching(index)]);
        }
      }
      if (single) continue;
      for (const counted of countsOf(selection)) {
        const plan = await explain(entryQueries.within({ from: 5 }, counted));
        expect([name, plan.usesIndex, plan.detail]).toEqual([name, true, plan.detail]);
      }
    }
    await deps.close();
  });

  test('processes, seals and ranges are found by an index', async () => {
    const deps = await lane.deps();
    const log = await openLog(deps);
    const { store } = deps;
    const plans = [
      await store.explain(log.entries.documents, entryQueries.byIds([1, 2])),
      await store.explain(log.entries.documents, entryQueries.ofProcesses(['proc_1', 'proc_2'])),
      await store.explain(log.processes.documents, processQueries.timeline('normal'), timelineSort),
      await store.explain(log.seals.documents, { below: { $gt: 5 } }, { below: 1 }),
      await store.explain(log.totals.counts.documents, { changed_at: { $gte: 5 } }, { changed_at: 1 }),
    ];
    expect(plans.filter((plan) => !walksIndex(plan))).toEqual([]);
    await deps.close();
  });
});
