import { describeLanes, type LaneDeps } from '@order-automation/testing';
import type { EarlierEntry } from '../src/earlier-entries';
import { openLog, some } from './log';

describeLanes('the log of an earlier version', (lane) => {
  let deps: LaneDeps;
  beforeEach(async () => {
    deps = await lane.deps();
  });
  afterEach(() => deps.close());

  const earlierEntry = (id: number): EarlierEntry => ({
    _id: id,
    uid: `evt_${id}:done`,
    process_id: `proc_${Math.ceil(id / 2)}`,
    timestamp: '2026-11-01T10:00:00.000Z',
    facet: 'webhook success rule_evaluation',
    summary: `Order ${id}: an entry of before.`,
    order_id: id,
    words: ['order'],
    mac: 'a digest of another document',
  });
  const write = async (count: number) => {
    const entries = await deps.store.collection<EarlierEntry>('entries');
    await entries.insertMany(Array.from({ length: count }, (_, index) => earlierEntry(index + 1)));
    const counters = await deps.store.collection<{ _id: string; next: number; blocks: never[] }>('counters');
    await counters.insertOne({ _id: 'entries', next: count + 17, blocks: [] });
    const seals = await deps.store.collection<{ _id: number; below: number }>('seals');
    await seals.insertOne({ _id: 1, below: count + 1 });
    const marks = await deps.store.collection<{ _id: string; seal: number }>('seal_marks');
    await marks.insertOne({ _id: 'last', seal: 1 });
    return entries;
  };

  test('is listed under its ids, goes on, and verifies', async () => {
    const entries = await write(1_200);
    const log = await openLog(deps);
    expect(await entries.countDocuments({})).toBe(0);
    const [record] = await log.records.byIds([7]);
    expect(record).toMatchObject({ _id: 7, process_id: 'proc_4', uid: 'evt_7:done', entries: [{ order_id: 7 }] });
    expect((await log.processes.rows(['proc_4'])).get('proc_4')).toBeDefined();
    await log.recordEntries(some(3));
    await log.settle();
    expect(await log.verify()).toMatchObject({ valid: true, checked: 1_203 });
  });

  test('is taken over once, also where that was interrupted', async () => {
    const entries = await write(20);
    await openLog(deps);
    // The last portion was inserted, and not removed yet.
    await entries.insertMany([earlierEntry(19), earlierEntry(20)]);
    const log = await openLog(deps);
    expect(await log.records.documents.countDocuments({})).toBe(20);
    await log.settle();
    expect(await log.verify()).toMatchObject({ valid: true, checked: 20 });
  });
});
