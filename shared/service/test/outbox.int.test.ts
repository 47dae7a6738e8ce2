import { once } from 'node:events';
import type { Subscription } from '@order-automation/bus';
import { auditEntry, type NewAuditEntry, ServiceError } from '@order-automation/contracts';
import { StoreUnavailableError } from '@order-automation/store';
import { describeLanes, entriesOfRecords, type LaneDeps, waitFor } from '@order-automation/testing';
import { crashingStore } from '../../store/test/crashing-store';
import { expectUsesIndex } from '../../store/test/explain';
import { recordedQueries } from '../../store/test/recorded-queries';
import { type Outbox, type OutboxDocument, openOutbox, outboxIndexes } from '../src';
import { openOutboxDocuments } from '../src/durable/outbox-documents';

const entry = (uid: string, process_id = 'proc_1'): NewAuditEntry =>
  auditEntry({
    uid,
    timestamp: new Date(0).toISOString(),
    event_type: 'account_changed',
    source: 'api',
    summary: `the change ${uid}`,
    process_id,
  });
const recordOf = (uid: string) => ({ uid, process_id: 'proc_1', entries: [entry(uid)] });

describeLanes('the outbox of the audit log', (lane) => {
  let deps: LaneDeps;
  let outbox: Outbox;
  let audit: Subscription | undefined;
  const recorded: NewAuditEntry[] = [];

  const openAudit = async (refuse: (entry: NewAuditEntry) => boolean = () => false): Promise<void> => {
    audit = await deps.bus.respond('audit.record.v2', async ({ records }) => {
      const entries = entriesOfRecords(records);
      if (entries.some(refuse)) throw new ServiceError(400, 'rest_invalid_param', 'This entry is bad.');
      const known = new Set(recorded.map(({ uid }) => uid));
      recorded.push(...entries.filter(({ uid }) => !known.has(uid)));
      return { recorded: entries.length, duplicates: 0 };
    });
  };
  const uids = () => recorded.map(({ uid }) => uid);
  const unconfirmed = async () => {
    const documents = await deps.store.collection<OutboxDocument>('audit_outbox', outboxIndexes);
    return documents.countDocuments({});
  };
  const emptied = () => waitFor(async () => (await unconfirmed()) === 0, { describe: 'nothing is left' });
  const laterBy = (milliseconds: number) => deps.clock.advance(milliseconds);

  beforeEach(async () => {
    recorded.length = 0;
    deps = await lane.deps();
    outbox = await openOutbox(deps);
  });
  afterEach(async () => {
    await outbox.close();
    await audit?.close();
    audit = undefined;
    await deps.close();
  });

  test('records are handed over at once, and nothing is kept of them', async () => {
    await openAudit();
    await outbox.add([recordOf('a'), recordOf('b')]);
    expect(await outbox.addAndConfirm([recordOf('c')], 5_000)).toBe(true);
    await waitFor(() => recorded.length === 3);
    expect(uids().sort()).toEqual(['a', 'b', 'c']);
    await emptied();
  });

  test('while audit is away they wait, and the next process hands them over, each once', async () => {
    await outbox.add([recordOf('a'), recordOf('a')]);
    expect(await outbox.addAndConfirm([recordOf('b')], 50)).toBe(false);
    await outbox.close();
    expect(await unconfirmed()).toBe(2);
    await openAudit();
    outbox = await openOutbox(deps);
    await waitFor(() => recorded.length === 2);
    expect(uids().sort()).toEqual(['a', 'b']);
    await emptied();
  }, 40_000);

  test('a record that waits for its turn longer than the direct way has is handed over once', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const handed: string[] = [];
    audit = await deps.bus.respond('audit.record.v2', async ({ records }) => {
      handed.push(...records.map(({ uid }) => uid));
      if (handed.length === 1) await answered;
      return { recorded: records.length, duplicates: 0 };
    });
    await outbox.add([recordOf('a')]);
    await waitFor(() => handed.length === 1);
    laterBy(11_000);
    const documents = await deps.store.collection<OutboxDocument>('audit_outbox', outboxIndexes);
    await documents.insertMany([{ _id: 'left', entries: [entry('left')], due: deps.clock.now(), prepared: false }]);
    await waitFor(() => handed.includes('left'));
    answer();
    await emptied();
    expect(handed).toEqual(['a', 'left']);
  });

  test('a clock that was put back delays nothing after a start', async () => {
    laterBy(8 * 86_400_000);
    await outbox.add([recordOf('a')]);
    await outbox.close();
    laterBy(-8 * 86_400_000);
    await openAudit();
    outbox = await openOutbox(deps);
    await waitFor(() => recorded.length === 1);
  }, 40_000);

  test('a clock that is put back an hour stops no hand-over', async () => {
    await outbox.add([recordOf('a')]);
    await waitFor(async () => (await unconfirmed()) === 1);
    laterBy(-60 * 60_000);
    await openAudit();
    await waitFor(() => recorded.length === 1);
    await emptied();
  }, 40_000);

  test('a clock that jumps an hour during an act makes no unknown outcome of it', async () => {
    await openAudit();
    const ending = new AbortController();
    const acting = outbox.recordAround(entry('slow'), async () => {
      await once(ending.signal, 'abort');
    });
    await waitFor(async () => (await unconfirmed()) === 1);
    for (const jump of [60 * 60_000, -120 * 60_000]) {
      laterBy(jump);
      await outbox.add([recordOf(`after ${jump}`)]);
      await waitFor(() => recorded.some(({ uid }) => uid === `after ${jump}`));
      // The relay looks once a second.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
    }
    ending.abort();
    await acting;
    await emptied();
    expect(recorded.find(({ uid }) => uid === 'slow')).toMatchObject({ summary: 'the change slow' });
  }, 40_000);

  test('a record that audit refuses does not hold up the others, and is kept', async () => {
    await openAudit(({ uid }) => uid === 'bad');
    await outbox.add([recordOf('bad'), ...Array.from({ length: 20 }, (_, at) => recordOf(`good ${at}`))]);
    await waitFor(() => recorded.length === 20);
    await waitFor(async () => (await unconfirmed()) === 1);
  });

  test('an act is recorded when it happened, and not when it was refused', async () => {
    await openAudit();
    const made = await outbox.recordAround(
      entry('made'),
      async () => 7,
      (result) => ({ ...entry('made'), summary: `made ${result}` }),
    );
    expect(made).toBe(7);
    const refusal = new ServiceError(409, 'svc_user_exists', 'There is one.');
    await expect(outbox.recordAround(entry('refused'), () => Promise.reject(refusal))).rejects.toBe(refusal);
    await outbox.recordAround(
      entry('nothing'),
      async () => 0,
      () => null,
    );
    await waitFor(() => recorded.length > 0);
    await emptied();
    expect(recorded).toMatchObject([{ uid: 'made', summary: 'made 7', status: 'success' }]);
  });

  test('nothing happens that cannot be recorded', async () => {
    const dead = await openOutbox({ ...deps, store: crashingStore(deps.store, { at: 1, stored: false }) });
    let happened = false;
    const act = async () => {
      happened = true;
    };
    await expect(dead.recordAround(entry('a'), act)).rejects.toThrow(StoreUnavailableError);
    expect(happened).toBe(false);
    await dead.close();
  });

  test('an act whose process ends is recorded as one whose outcome is not known', async () => {
    await openAudit();
    const dying = await openOutbox({ ...deps, store: crashingStore(deps.store, { at: 2, stored: false }) });
    await dying.recordAround(entry('cut'), async () => undefined);
    await dying.close();
    laterBy(59_000);
    expect(recorded).toEqual([]);
    laterBy(2_000);
    await waitFor(() => recorded.length === 1);
    expect(recorded[0]).toMatchObject({ uid: 'cut', status: 'warning', details: { outcome: 'unknown' } });
    expect(recorded[0]?.summary).toBe('the change cut; whether this took effect is not known, please check');
    await emptied();
  }, 40_000);

  test('the relay walks an index', async () => {
    const { store, sent } = recordedQueries(deps.store);
    const documents = await openOutboxDocuments(store);
    await documents.due(1, 5);
    await documents.remove(['a']);
    await documents.makeDue(1, 5);
    expect(sent.length).toBeGreaterThanOrEqual(5);
    for (const { documents: asked, filter, sort } of sent) await expectUsesIndex(deps.store, asked, filter, sort);
  });
});
