import { buildAuditEntry, describeLanes } from '@order-automation/testing';
import { listEntries } from '../src/reading/list';
import { openLog } from './log';
import { expectRowsInOrder, stored } from './stored';

describeLanes('audit: an order that becomes known after the reception was recorded', (lane) => {
  const types = { received: 'webhook_received', waiting: 'event_waiting', evaluated: 'rule_evaluation' } as const;
  const of = (step: keyof typeof types, order_id: number | null) =>
    buildAuditEntry({ process_id: 'proc_1', uid: `evt_1:${step}`, event_type: types[step], order_id });
  const recordOf = (...entries: ReturnType<typeof of>[]) => [{ process_id: 'proc_1', uid: 'evt_1', entries }];
  const found = async (log: Awaited<ReturnType<typeof openLog>>, filters: { order_id?: number[]; search?: string }) => {
    const asked = { filters: { ...filters, include_debug: false, include_test: false }, page: 1, per_page: 20 };
    const { logs } = await listEntries({ view: 'flat', ...asked }, log);
    return logs.map(({ event_type, order_id }) => [event_type, order_id]);
  };

  test('is that of the reception too, which filters and searches find and the log proves', async () => {
    const deps = await lane.deps();
    const log = await openLog(deps);
    await log.record(recordOf(of('received', null), of('waiting', null)));
    await log.settle();
    expect(await found(log, { order_id: [5555] })).toEqual([]);
    const end = recordOf(of('received', 5555), of('evaluated', 5555));
    expect(await log.record(end)).toEqual({ recorded: 1, duplicates: 1 });
    const wanted = [
      ['rule_evaluation', 5555],
      ['webhook_received', 5555],
    ];
    expect(await found(log, { order_id: [5555] })).toEqual(wanted);
    expect(await found(log, { search: '5555' })).toEqual(wanted);
    await log.settle();
    expect(await log.verify()).toMatchObject({ valid: true, checked: 3 });
    await expectRowsInOrder(deps.store);
    // Handed over again, and by who knew no order: nothing changes.
    await log.record(end);
    await log.record(recordOf(of('received', null)));
    expect(await found(log, { order_id: [5555] })).toEqual(wanted);
    expect((await stored(deps.store)).map(({ order_id }) => order_id ?? null)).toEqual([5555, null, 5555]);
    await deps.close();
  });

  test('is added once where several instances learn it at the same moment, of many events', async () => {
    const deps = await lane.deps();
    const logs = [await openLog(deps), await openLog(deps)] as const;
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    const all = (order: boolean) =>
      ids.map((id) => {
        const entry = buildAuditEntry({
          process_id: `proc_${id}`,
          uid: `evt_${id}:received`,
          event_type: 'webhook_received',
          order_id: order ? id : null,
        });
        return { process_id: entry.process_id, uid: `evt_${id}`, entries: [entry] };
      });
    await logs[0].record(all(false));
    await Promise.all(logs.flatMap((log) => [log.record(all(true)), log.record(all(true).reverse())]));
    for (const id of ids) expect(await found(logs[0], { order_id: [id] })).toEqual([['webhook_received', id]]);
    await logs[0].settle();
    expect(await logs[0].verify()).toMatchObject({ valid: true, checked: ids.length });
    await expectRowsInOrder(deps.store);
    await deps.close();
  });

  test('is found by the verification when somebody changes it', async () => {
    const deps = await lane.deps();
    const log = await openLog(deps);
    await log.record(recordOf(of('received', null)));
    await log.record(recordOf(of('received', 5555), of('evaluated', 5555)));
    await log.settle();
    const [record] = await log.records.inRange({}, 0);
    if (!record) throw new Error('nothing was recorded');
    const entries = record.entries.map((entry) => ({ ...entry, later_order: 6666 }));
    const terms = record.terms.map((term) => term.replace('5555', '6666'));
    await log.records.replace({ ...record, entries, terms, revision: record.revision + 1 });
    expect(await log.verify()).toMatchObject({ valid: false, first_bad_id: record._id });
    await deps.close();
  });
});
