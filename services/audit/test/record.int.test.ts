import type { NewAuditEntry } from '@order-automation/contracts';
import type { Store } from '@order-automation/store';
import { buildAuditEntry, describeLanes } from '@order-automation/testing';
import { startAudit } from '../src';
import type { ProcessRow } from '../src/processes/process-row';
import { listEntries } from '../src/reading/list';
import { auditConfig, auditForEach, processView, record, recordsOf, story } from './audit';
import { openLog } from './log';
import { uids } from './stored';

describeLanes('audit: record', (lane) => {
  const deps = auditForEach(lane);

  test('entries are stored once, counted truthfully, and read back oldest first with their parents', async () => {
    const entries = story('proc_a');
    expect(await record(deps().bus, entries)).toEqual({ recorded: 4, duplicates: 0 });
    expect(await record(deps().bus, [...entries, ...story('proc_b')])).toEqual({ recorded: 4, duplicates: 4 });
    const logs = await processView(deps().bus, 'proc_a');
    expect(logs.map(({ event_type }) => event_type)).toEqual(entries.map(({ event_type }) => event_type));
    const [first, evaluation] = logs.map(({ id }) => id);
    expect(logs.map(({ parent_id }) => parent_id)).toEqual([null, first, evaluation, first]);
    expect(logs[1]).toEqual({ ...entries[1], uid: undefined, id: evaluation, parent_id: first });
  });

  test('one uid twice in a request is stored once, an empty request is fine, an unknown process is 404', async () => {
    const [entry] = story('proc_c') as [NewAuditEntry];
    expect(await record(deps().bus, [entry, entry])).toEqual({ recorded: 1, duplicates: 1 });
    expect(await record(deps().bus, [])).toEqual({ recorded: 0, duplicates: 0 });
    await expect(processView(deps().bus, 'proc_nobody')).rejects.toMatchObject({
      status: 404,
      code: 'svc_process_not_found',
    });
  });

  test('what two services hand over of one event is stored once, in whatever order', async () => {
    const entries = story('proc_v');
    expect(await record(deps().bus, entries.slice(0, 1))).toEqual({ recorded: 1, duplicates: 0 });
    expect(await record(deps().bus, entries.slice(1, 3))).toEqual({ recorded: 2, duplicates: 0 });
    expect(await record(deps().bus, entries)).toEqual({ recorded: 1, duplicates: 3 });
    expect(await record(deps().bus, entries)).toEqual({ recorded: 0, duplicates: 4 });
    const logs = await processView(deps().bus, 'proc_v');
    expect(logs.map(({ event_type }) => event_type)).toEqual(entries.map(({ event_type }) => event_type));
    expect(await uids(deps().store)).toEqual(entries.map(({ uid }) => uid));
  });

  test('an entry that was deleted is not recorded again when it is handed over again', async () => {
    const entries = story('proc_w');
    await record(deps().bus, entries.slice(0, 3));
    const [first] = await processView(deps().bus, 'proc_w');
    const deletion = { log_ids: [first?.id ?? 0], user: 'ada', process_id: 'proc_deletion' };
    await deps().bus.request('audit.entry.delete.v1', deletion);
    expect(await record(deps().bus, entries)).toEqual({ recorded: 1, duplicates: 3 });
    expect((await processView(deps().bus, 'proc_w')).map(({ id }) => id)).not.toContain(first?.id);
  });

  test('secrets and cards that a sender forgot do not reach the log', async () => {
    const details = { headers: { authorization: 'Bearer abcdefghij' }, note: 'paid with 4242424242424242' };
    await record(deps().bus, [buildAuditEntry({ process_id: 'proc_d', summary: 'key sk_live_abcdefgh1234', details })]);
    const text = JSON.stringify(await processView(deps().bus, 'proc_d'));
    expect(text).not.toMatch(/abcdefgh|424242/);
    expect(text).toContain('key [redacted]');
  });

  test('what arrives together is written together: a few writes for 64 processes', async () => {
    const calls: string[] = [];
    const counted = await lane.deps({ store: counting(deps().store, calls) });
    const service = await startAudit(counted, auditConfig);
    await record(counted.bus, story('proc_warm').slice(0, 3));
    calls.length = 0;
    const entries = Array.from({ length: 64 }, (_, index) => story(`proc_e${index}`).slice(0, 3)).flat();
    await record(counted.bus, entries);
    expect(calls.filter((name) => name.endsWith('insertMany')).length).toBeLessThanOrEqual(8);
    calls.length = 0;
    await Promise.all(Array.from({ length: 40 }, (_, index) => record(counted.bus, story(`proc_f${index}`))));
    expect(calls.filter((name) => name === 'records.insertMany').length).toBeLessThan(20);
    await service.close();
  });

  test('a process of many hand-overs at once, as an import of a shop is, is not read again as it grows', async () => {
    const calls: string[] = [];
    const counted = await lane.deps({ store: counting(deps().store, calls) });
    const service = await startAudit(counted, auditConfig);
    const process_id = 'proc_import';
    const handOver = async (from: number): Promise<void> => {
      const entries = Array.from({ length: 400 }, (_, index) =>
        buildAuditEntry({ process_id, uid: `o${from + index}` }),
      );
      const records = entries.map((entry) => ({ uid: entry.uid, process_id, entries: [entry] }));
      await counted.bus.request('audit.record.v2', { records }, { timeout: 20_000 });
    };
    await handOver(0);
    await handOver(400);
    calls.length = 0;
    await Promise.all([2, 3, 4, 5, 6, 7].map((part) => handOver(400 * part)));
    // Seals may fall into it; each of the six would read it again.
    expect(calls.filter((name) => name === 'records.find').length).toBeLessThan(6);
    const row = await (await counted.store.collection<ProcessRow>('processes')).findOne({ _id: process_id });
    expect(row).toMatchObject({ counts: { normal: 3_200 } });

    // As by a sender whose answer came too late.
    calls.length = 0;
    await Promise.all([0, 1, 2].map((part) => handOver(400 * part)));
    expect(calls.filter((name) => name.startsWith('records.') && name !== 'records.find')).toEqual([]);
    expect(calls.filter((name) => name === 'records.find').length).toBeLessThan(3);
    await service.close();
  });

  test('the last page of an hour is read to its last entry, not to the beginning of the log', async () => {
    const calls: string[] = [];
    const counted = await lane.deps({ store: counting(deps().store, calls) });
    const log = await openLog(counted);
    const at = (hour: number, index: number) => new Date(Date.UTC(2025, 1, 1, hour, 0, 0, index)).toISOString();
    const day = (hour: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        buildAuditEntry({ process_id: `proc_h${hour}_${index}`, timestamp: at(hour, index) }),
      );
    for (const hour of [1, 2, 3]) await log.record(recordsOf(day(hour, 1_000)));
    await log.record(recordsOf(day(4, 30)));
    const filters = { include_debug: false, include_test: false, date_from: at(4, 0), date_to: at(5, 0) };
    const readsFor = async (per_page: number) => {
      calls.length = 0;
      const { logs, pagination } = await listEntries({ view: 'flat', page: 1, per_page, filters }, log);
      expect([logs.length, pagination.total]).toEqual([Math.min(per_page, 30), 30]);
      return calls.filter((name) => name === 'records.find').length;
    };
    expect(await readsFor(200)).toBeLessThan((await readsFor(10)) + 3);
    await log.idle();
  });
});

/** Notes every call to a collection as `collection.method`. */
function counting(store: Store, calls: string[]): Store {
  return {
    collection: async (name, indexes) => {
      const documents = await store.collection<{ _id: string }>(name, indexes);
      const noted = new Proxy(documents, {
        get: (target, method: keyof typeof documents & string) => {
          const value = target[method];
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            calls.push(`${name}.${method}`);
            return (value as (...given: unknown[]) => unknown).apply(target, args);
          };
        },
      });
      return noted as never;
    },
    check: store.check.bind(store),
    scrub: store.scrub.bind(store),
    close: async () => undefined,
  };
}
