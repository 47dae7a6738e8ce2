import type { AuditFilters } from '@order-automation/contracts';
import { keyRing } from '@order-automation/service';
import { buildAuditEntry, describeLanes } from '@order-automation/testing';
import { chainKeys } from '../src/chain/keys';
import { openSeals } from '../src/chain/seals';
import { openTotals } from '../src/counts/totals';
import { openProcesses } from '../src/processes/processes';
import { matches, selectionOf } from '../src/reading/selection';
import { take } from '../src/reading/walk';
import { startRecording } from '../src/recording/recording';
import { openEntryIds } from '../src/records/entry-ids';
import { withoutEntries } from '../src/records/log-record';
import { openRecords, replaceAll } from '../src/records/records';
import { auditTelemetry } from '../src/telemetry';
import { auditConfig, recordsOf } from './audit';
import { stored, wrongRanges } from './stored';

const shown = { include_debug: false, include_test: false };
const at = (minute: number): string => new Date(Date.UTC(2026, 1, 1, 0, minute)).toISOString();

describeLanes('audit: totals', (lane) => {
  test('totals and pages are those of a plain count while ranges close and entries are deleted, for two instances', async () => {
    const deps = await lane.deps();
    const { store, clock } = deps;
    const keys = chainKeys(keyRing(auditConfig.secretKey.reveal()));
    const records = await openRecords(store);
    const select = async (filters: AuditFilters) => selectionOf(filters, await records.facets.all(), keys);
    const ids = await openEntryIds(store, clock);
    const processes = await openProcesses(store);
    const seals = await openSeals(store, keys);
    const recording = startRecording({ records, processes, ids, seals, keys, clock, telemetry: auditTelemetry(deps) });
    const open = () => openTotals(store, { records, ids, clock }, 8);
    const [totals, others] = [await open(), await open()];
    const wanted: AuditFilters[] = [
      shown,
      { ...shown, status: ['error'] },
      { ...shown, status: ['error', 'success'], event_type: ['action_failed'], rule_id: [1, 2] },
      { ...shown, rule_id: [1, 3] },
      { ...shown, date_from: at(20), date_to: at(45) },
      { ...shown, date_from: at(2), date_to: at(9) },
      { ...shown, date_to: at(1) },
      { ...shown, include_test: true, rule_id: [2], date_from: at(10) },
    ];
    const compareAll = async (): Promise<void> => {
      const all = (await stored(store)).sort((a, b) => b._id - a._id);
      for (const one of [totals, others]) {
        for (const filters of wanted) {
          const selection = await select(filters);
          const found = all.filter((entry) => matches(entry, selection)).map(({ _id }) => _id);
          for (const offset of [0, 1, 5, 30].filter((some) => some < found.length)) {
            const { total, ...position } = await one.locate(selection, offset);
            const page = await take(selection, position, 4, records, await one.rangesOf(filters));
            expect([JSON.stringify(filters), total, ...page.map(({ _id }) => _id)]).toEqual([
              JSON.stringify(filters),
              found.length,
              ...found.slice(offset, offset + 4),
            ]);
          }
          expect((await one.locate(selection, found.length)).total).toBe(found.length);
        }
        const { orders } = await one.present();
        const recent = [...new Set(all.flatMap(({ order_id }) => order_id ?? []))];
        expect(orders).toEqual(recent.slice(0, 100));
      }
    };
    for (let round = 0; round < 5; round += 1) {
      const some = Array.from({ length: round === 1 ? 90 : 9 }, (_, index) =>
        buildAuditEntry({
          status: index % 3 === 0 ? 'error' : 'success',
          event_type: index % 2 === 0 ? 'rule_evaluation' : 'action_failed',
          is_test: index === 3 && round > 1,
          order_id: (index % 4) + round,
          rule_id: (index % 3) + 1,
          // Some were recorded long after they happened, as after an outage.
          timestamp: at(index % 7 === 6 ? 1 : round * 10 + (index % 10)),
          process_id: `proc_${round}_${Math.floor(index / 3)}`,
        }),
      );
      await recording.add(recordsOf(some));
      if (round === 3) clock.advance(31_000);
      await Promise.all([totals.roll(), others.roll()]);
      await compareAll();
      const doomed = new Set((await stored(store)).flatMap(({ _id }) => (_id % 11 === round ? [_id] : [])));
      const holding = (await records.holding([...doomed])).map(({ _id }) => _id);
      await totals.mark(holding);
      await replaceAll(holding, (record) => withoutEntries(record, doomed, 'proc_deletion', keys), records);
      await compareAll();
      await totals.mark(holding);
      if (round === 4) await others.roll();
    }
    const ranges = await totals.counts.documents.find({}).toArray();
    expect(ranges.length).toBeGreaterThan(3);
    expect(ranges.some(({ spans = [] }) => spans.length > 1)).toBe(true);
    expect(await wrongRanges(store, { totals })).toEqual([]);
    await compareAll();
  }, 240_000);
});
