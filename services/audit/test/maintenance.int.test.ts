import { buildAuditEntry, describeLanes } from '@order-automation/testing';
import { bucketsOf } from '../src/counts/stats';
import { erasePerson } from '../src/deletion/erasure';
import { applyRetention } from '../src/deletion/retention';
import { listEntries } from '../src/reading/list';
import { erasing, openLog, sealedLog, some } from './log';
import { expectRowsInOrder, stored, wrongRanges } from './stored';

const day = 86_400_000;
const shown = { include_debug: false, include_test: false };

describeLanes('audit: maintenance', (lane) => {
  test('retention removes whole seals that are old, and leaves a log that verifies, with rows and totals in order', async () => {
    const { deps, log } = await sealedLog(lane, [9, 9]);
    const straddling = { process_id: 'proc_long' };
    await log.recordEntries(some(2, straddling));
    await log.settle();
    deps.clock.advance(100 * day);
    await log.recordEntries(some(2, straddling));
    await log.settle();
    await log.totals.roll();
    const dry = await applyRetention(90 * day, { dry_run: true }, log);
    expect(dry.removed).toBe(20);
    expect((await stored(deps.store)).length).toBe(22);
    expect((await applyRetention(90 * day, { dry_run: false }, log)).removed).toBe(20);
    await log.totals.roll();
    expect((await stored(deps.store)).length).toBe(3);
    expect(await log.verify()).toMatchObject({ valid: true, first_bad_id: null });
    await expectRowsInOrder(deps.store);
    expect(await wrongRanges(deps.store, log)).toEqual([]);
    const [row] = (await log.processes.rows(['proc_long'])).values();
    expect(row?.counts.normal).toBe(2);
    const [logged] = (await stored(deps.store)).slice(-1);
    expect(logged?.summary).toMatch(/^Retention removed 20 entries from before /);
    await log.settle();
    expect((await applyRetention(90 * day, { dry_run: false }, log)).removed).toBe(0);
    const rest = await stored(deps.store);
    await log.records.remove([rest[0]?.record_id ?? 0]);
    expect(await log.verify()).toMatchObject({ valid: false, first_bad_id: rest[0]?._id });
    await deps.close();
  });

  test('a run of retention that was interrupted is taken up by the next', async () => {
    const { deps, log, all } = await sealedLog(lane, [5, 5]);
    const seal = await log.seals.byNumber(1);
    if (!seal) throw new Error('nothing was sealed');
    await log.seals.setFirst({ seal: 1, below: seal.below, head: seal.head });
    await log.records.remove(all.slice(0, 2).map(({ record_id }) => record_id));
    expect(await log.verify()).toMatchObject({ valid: true });
    const by = { user: 'berta', process_id: 'proc_by_hand' };
    expect((await applyRetention(90 * day, { dry_run: false, ...by }, log)).removed).toBe(3);
    const [logged] = (await stored(deps.store)).slice(-1);
    expect(logged).toMatchObject({ process_id: 'proc_by_hand', details: { user: 'berta', removed: 3 } });
    expect(await log.verify()).toMatchObject({ valid: true });
    const again = { dry_run: false, user: 'carla', process_id: 'proc_by_carla' };
    expect((await applyRetention(90 * day, again, log)).removed).toBe(0);
    expect((await stored(deps.store)).slice(-1)).toMatchObject([
      { process_id: 'proc_by_carla', summary: expect.stringMatching(/^carla applied the retention: it removed no /) },
    ]);
    await applyRetention(90 * day, { dry_run: false }, log);
    expect((await stored(deps.store)).slice(-1)).toMatchObject([{ process_id: 'proc_by_carla' }]);
    await deps.close();
  });

  test('an erased person is found no more, and the chain stays verifiable', async () => {
    const deps = await lane.deps();
    const log = await openLog(deps);
    const ada = { summary: 'Mail to Ada@Example.com was sent.', details: { customer_id: 7 } };
    await log.recordEntries([...some(3, ada), ...some(2, { details: { to: 'bob@example.com' } })]);
    await log.settle();
    await log.recordEntries(some(1, ada));
    const found = async (email: string) => {
      const input = { view: 'flat', page: 1, per_page: 20, filters: { ...shown, search: email } } as const;
      return (await listEntries(input, log)).pagination.total;
    };
    expect([await found('ada@example.com'), await found('bob@example.com')]).toEqual([4, 2]);
    expect(JSON.stringify(await stored(deps.store))).not.toMatch(/ada@|bob@/i);
    const ask = { email: 'ADA@example.com', customer_id: 7, user: 'admin', process_id: 'proc_erase' };
    const asked: unknown[] = [];
    const bus = erasing((type, person) => {
      asked.push([type, person]);
      if (type === 'shop.person.erase.v1') return { erased: 3 };
      if (type === 'evaluation.person.erase.v1') return { erased: 1, unfinished: 0 };
      return { erased: 1, unconfirmed: 0, next: person.from === '' ? '0:evt_1' : null };
    });
    expect(await erasePerson(ask, { ...log, bus })).toEqual({
      erased: 4,
      payloads: { erased: 2, unconfirmed: 0 },
      deliveries: { erased: 1, unfinished: 0 },
      commands: { erased: 3 },
    });
    const person = { email: 'ADA@example.com', customer_id: 7 };
    expect(asked).toEqual([
      ['intake.person.erase.v1', { ...person, from: '' }],
      ['intake.person.erase.v1', { ...person, from: '0:evt_1' }],
      ['evaluation.person.erase.v1', { ...person, from: '' }],
      ['shop.person.erase.v1', { ...person, from: '' }],
    ]);
    expect([await found('ada@example.com'), await found('bob@example.com')]).toEqual([0, 2]);
    expect(await log.verify()).toMatchObject({ valid: true });
    await log.settle();
    expect(await log.verify()).toMatchObject({ valid: true });
    const [erased] = await stored(deps.store);
    await log.deletions.remove({ log_ids: [erased?._id ?? 0], user: 'admin', process_id: 'proc_delete' });
    expect(await log.verify()).toMatchObject({ valid: true });
    const [, second] = await log.records.inRange({}, 2);
    if (!second) throw new Error('a record is missing');
    const entries = second.entries.map((entry) => ({ ...entry, summary: 'Nothing.' }));
    await log.records.documents.updateOne({ _id: second._id }, { $set: { entries } });
    expect((await log.verify()).first_bad_id).toBe(second._id);
    await deps.close();
  });

  test('entries about an order are found by its billing address, also those that learned the order later, until it is erased', async () => {
    const deps = await lane.deps();
    const log = await openLog(deps);
    const email = 'Ada@Shop.example';
    const received = { process_id: 'proc_1', uid: 'evt_1:received', order_id: null };
    const named = { process_id: 'proc_1', uid: 'evt_1:named', order_id: null, details: { customer_id: 7 } };
    const record = (entries: ReturnType<typeof some>) => log.record([{ process_id: 'proc_1', uid: 'evt_1', entries }]);
    await log.recordEntries([
      ...some(2, { email }),
      ...some(1, { email: '' }),
      ...some(1, { email: 'bob@shop.example' }),
    ]);
    await record([...some(1, received), ...some(1, named)]);
    await log.settle();
    const known = { order_id: 5, email };
    expect(await record([received, named].flatMap((entry) => some(1, { ...entry, ...known })))).toMatchObject({
      duplicates: 2,
    });
    const found = async (search: string) => {
      const input = { view: 'flat', page: 1, per_page: 20, filters: { ...shown, search } } as const;
      return (await listEntries(input, log)).logs;
    };
    expect(await found('ada@shop.example ')).toHaveLength(3);
    expect(await found('bob@shop.example')).toHaveLength(1);
    expect(JSON.stringify([await log.records.inRange({}, 0), await found(email)])).not.toMatch(/@shop/i);
    expect(await log.verify()).toMatchObject({ valid: true, checked: 6 });
    const ask = { email, customer_id: null, user: 'admin', process_id: 'proc_erase' };
    const erasure = await erasePerson(ask, { ...log, bus: erasing() });
    expect(erasure).toMatchObject({ erased: 3 });
    expect([await found(email), await found('bob@shop.example')]).toMatchObject([[], [{}]]);
    expect(await log.verify()).toMatchObject({ valid: true, erased: 3 });
    await deps.close();
  });

  test('statistics are the same whether ranges are counted or not', async () => {
    const deps = await lane.deps();
    const log = await openLog(deps);
    const at = (hour: number) => new Date(Date.UTC(2026, 1, 1, hour, 30)).toISOString();
    const logged = (hour: number) => [
      buildAuditEntry({ event_type: 'webhook_received', timestamp: at(hour), details: { gateway: 'gateway_card' } }),
      buildAuditEntry({ event_type: 'rule_evaluation', timestamp: at(hour), rule_id: 7, status: 'success' }),
      buildAuditEntry({ event_type: 'rule_evaluation', timestamp: at(hour), rule_id: 7, status: 'skipped' }),
      buildAuditEntry({ event_type: 'process_completed', timestamp: at(hour), details: { total_ms: 18 } }),
      buildAuditEntry({ event_type: 'process_completed', timestamp: at(hour), details: { total_ms: 900 } }),
      buildAuditEntry({ event_type: 'action_failed', status: 'error', timestamp: at(hour), is_test: true }),
    ];
    const read = async () => bucketsOf(await log.totals.statsBetween(at(0), at(48), 'hour'), 'hour');
    await log.recordEntries([1, 1, 2, 26].flatMap(logged));
    const before = await read();
    expect(before.map((bucket) => [bucket.at.slice(8, 13), bucket.total])).toEqual([
      ['01T01', 10],
      ['01T02', 5],
      ['02T02', 5],
    ]);
    expect(before[0]).toMatchObject({
      gateways: [{ value: 'gateway_card', count: 2 }],
      rules: [{ rule_id: 7, matched: 2, not_matched: 2 }],
      latency_ms: { count: 4, p50: 20, p95: 1000, p99: 1000 },
    });
    await log.settle();
    await log.totals.roll();
    expect(await read()).toEqual(before);
    const days = bucketsOf(await log.totals.statsBetween(at(0), at(48), 'day'), 'day');
    expect(days.map(({ total }) => total)).toEqual([15, 5]);
    await deps.close();
  });

  test('minutes are counted in what is settled and in what is not', async () => {
    const deps = await lane.deps();
    const log = await openLog(deps);
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 10, minute, 30)).toISOString();
    const found = async (from: number, to: number) =>
      bucketsOf(await log.totals.statsBetween(at(from), at(to), 'minute'), 'minute').map(({ at: start, total }) => [
        start.slice(11, 19),
        total,
      ]);
    await log.recordEntries([58, 59, 59, 61].map((minute) => buildAuditEntry({ timestamp: at(minute) })));
    const all = [
      ['10:58:00', 1],
      ['10:59:00', 2],
      ['11:01:00', 1],
    ];
    expect(await found(0, 90)).toEqual(all);
    await log.settle();
    await log.totals.roll();
    expect(await found(0, 90)).toEqual(all);
    expect(await found(59, 60)).toEqual([['10:59:00', 2]]);
    await deps.close();
  });

  test('entries that another instance deletes between their seal and their count are not counted', async () => {
    const { deps, log, all } = await sealedLog(lane, [20]);
    const other = await openLog(deps);
    const remove = (ids: readonly number[], process_id: string) =>
      other.deletions.remove({ log_ids: [...ids], user: 'berta', process_id });
    // Once before anything is counted, once in a range that is counted already, beside one that is not.
    await remove(
      [all[3], all[9]].flatMap((entry) => entry?._id ?? []),
      'proc_first',
    );
    await log.totals.roll();
    await remove(
      [all[4], all[19]].flatMap((entry) => entry?._id ?? []),
      'proc_second',
    );
    await log.settle();
    await log.totals.roll();
    await log.totals.roll();
    expect((await stored(deps.store)).length).toBe(18);
    expect((await log.totals.counts.load()).length).toBeGreaterThan(1);
    expect(await wrongRanges(deps.store, log)).toEqual([]);
    const stats = await log.totals.statsBetween('2000', '2999', 'hour');
    const shownEntries = (await stored(deps.store)).filter(({ facet }) => !/ (test|debug|both)$/.test(facet));
    expect(stats.reduce((sum, [, { total }]) => sum + total, 0)).toBe(shownEntries.length);
    expect(await log.verify()).toMatchObject({ valid: true });
    await deps.close();
  });
});
