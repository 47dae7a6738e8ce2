import type { NewAuditEntry } from '@order-automation/contracts';
import { buildAuditEntry, describeLanes } from '@order-automation/testing';
import fc from 'fast-check';
import { crashingStore } from '../../../shared/store/test/crashing-store';
import { startAudit } from '../src';
import { auditConfig, auditForEach, list, processView, record, story } from './audit';
import { expectRowsInOrder, uids } from './stored';

describeLanes('audit: processes recorded in parts', (lane) => {
  const deps = auditForEach(lane);

  test('a process that is recorded in parts, in other parts and with other orders and rules is recorded once', async () => {
    const [received, rule, action, outcome] = story('proc_p', { order_id: null }) as [
      NewAuditEntry,
      NewAuditEntry,
      NewAuditEntry,
      NewAuditEntry,
    ];
    const others = story('proc_p', { order_id: 5 }).map((entry, index) => ({ ...entry, uid: `p${index}`, rule_id: 9 }));
    const whole = [received, rule, action, ...others, outcome];
    expect(await record(deps().bus, [received])).toEqual({ recorded: 1, duplicates: 0 });
    expect(await record(deps().bus, [rule, others[1] as NewAuditEntry])).toEqual({ recorded: 2, duplicates: 0 });
    expect(await record(deps().bus, whole)).toEqual({ recorded: 5, duplicates: 3 });
    expect(await record(deps().bus, whole)).toEqual({ recorded: 0, duplicates: 8 });
    const logs = await processView(deps().bus, 'proc_p');
    const byTime = [...whole].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    expect(logs.map(({ timestamp, order_id, rule_id }) => [timestamp, order_id, rule_id])).toEqual(
      byTime.map(({ timestamp, order_id, rule_id }) => [timestamp, order_id, rule_id]),
    );
    await expectRowsInOrder(deps().store);
    expect((await list(deps().bus, { rule_id: [9] })).pagination.total).toBe(4);
    expect((await list(deps().bus, { rule_id: [7], order_id: [5] })).logs).toEqual([]);
  });

  test('many parts of one process that are handed over at once, each entry about an order of its own', async () => {
    const logged = Array.from({ length: 120 }, (_, index) =>
      buildAuditEntry({ process_id: 'proc_import', uid: `import-${index}`, order_id: index + 1, rule_id: null }),
    );
    const parts = Array.from({ length: 4 }, (_, part) => logged.slice(part * 20, part * 20 + 60));
    const answers = await Promise.all(parts.map((entries) => record(deps().bus, entries)));
    expect(answers.reduce((sum, { recorded }) => sum + recorded, 0)).toBe(120);
    expect(await uids(deps().store)).toEqual(logged.map(({ uid }) => uid).sort());
    await expectRowsInOrder(deps().store);
    expect((await list(deps().bus, { order_id: [120] })).pagination.total).toBe(1);
  });

  test('an instance that dies at any write has confirmed nothing, and the entries that are handed over again bring all in order', async () => {
    for (const stored of [false, true]) {
      let writes = 0;
      for (let at = 1, died = true; died; at += 1) {
        const store = await lane.store();
        const known = story(`proc_known_${at}`);
        const before = await lane.deps({ store });
        const first = await startAudit(before, auditConfig);
        await record(before.bus, known.slice(0, 2));
        await first.close();

        const fresh = story(`proc_new_${at}`);
        const another = { ...(fresh[1] as NewAuditEntry), uid: 'another', rule_id: 8 };
        const entries = [...known, ...fresh, another];
        const crashing = crashingStore(store, { at, stored });
        const dying = await lane.deps({ store: crashing });
        const victim = await startAudit(dying, auditConfig).catch(() => undefined);
        const confirmed =
          victim !== undefined &&
          (await record(dying.bus, entries).then(
            () => true,
            () => false,
          ));
        died = crashing.hasCrashed();
        expect(confirmed).toBe(!died);
        await victim?.close();

        const next = await lane.deps({ store });
        const service = await startAudit(next, auditConfig);
        const { recorded, duplicates } = await record(next.bus, entries);
        expect(recorded + duplicates).toBe(9);
        expect(await uids(store)).toEqual(entries.map(({ uid }) => uid).sort());
        await expectRowsInOrder(store);
        await service.close();
        for (const it of [before, dying, next]) await it.close();
        writes = at;
      }
      expect(writes).toBeGreaterThan(4);
    }
  });

  test('random batches with duplicates, redeliveries and two instances: rows are the grouping of the entries', async () => {
    const second = await lane.deps({ store: deps().store });
    const other = await startAudit(second, auditConfig);
    const pool = Array.from({ length: 12 }, (_, process) => story(`proc_${process}`)).flat();
    const kinds = fc.constantFrom<Partial<NewAuditEntry>>(
      {},
      { is_test: true },
      { is_debug: true },
      { status: 'error' },
      { rule_id: 8 },
      { order_id: 3 },
    );
    const batches = fc.array(
      fc.array(fc.tuple(fc.nat({ max: pool.length - 1 }), kinds), { minLength: 1, maxLength: 12 }),
      { maxLength: 8 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        run += 1;
        const requests = given.map((batch) =>
          batch.map(([index, kind]) => renamed(pool[index] as NewAuditEntry, kind, run)),
        );
        const answers = await Promise.all(
          requests.map((entries, index) => record(index % 2 === 0 ? deps().bus : second.bus, entries)),
        );
        const unique = new Set(requests.flat().map(({ uid }) => uid)).size;
        expect(answers.reduce((sum, { recorded }) => sum + recorded, 0)).toBe(unique);
        await Promise.all(requests.slice(0, 2).map((entries) => record(second.bus, entries)));
        expect(new Set(await uids(deps().store)).size).toBe((await uids(deps().store)).length);
        await expectRowsInOrder(deps().store);
      }),
      { numRuns: lane.name === 'embedded' ? 40 : 6, endOnFailure: true },
    );
    await other.close();
  });
});

/** The same entry in another run: its own process and uid there. */
function renamed(entry: NewAuditEntry, kind: Partial<NewAuditEntry>, run: number): NewAuditEntry {
  return { ...entry, ...kind, uid: `${run}-${entry.uid}`, process_id: `${run}-${entry.process_id}` };
}
