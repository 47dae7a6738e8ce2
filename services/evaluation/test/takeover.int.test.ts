import type { Store } from '@order-automation/store';
import { describeLanes, waitFor } from '@order-automation/testing';
import { expectUsesIndex } from '../../../shared/store/test/explain';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { claimsPort } from '../src/attempts/claims';
import { type Evaluations, leaseTime, openEvaluations } from '../src/attempts/evaluations';
import { newDocument } from '../src/evaluation-document';
import { taskOfShop } from '../src/task';

describeLanes('evaluation: open documents', (lane) => {
  const now = Date.UTC(2026, 0, 2);
  let store: Store;
  let evaluations: Evaluations;

  beforeEach(async () => {
    store = await lane.store();
    evaluations = await openEvaluations(store);
  });

  const claimed = async (count: number) => {
    const cause = { process_id: 'proc_1', depth: 0, author: 'admin' };
    const change = { order_id: 1, kind: 'status_changed', from: 'pending', to: 'completed', cause, keys: [] } as const;
    const at = new Date(now).toISOString();
    const documents = Array.from({ length: count }, (_, index) => ({
      ...newDocument(taskOfShop({ ...change, keys: [], change_id: `chg_${index}`, at })),
      fence: 1,
      due: now - 1,
    }));
    expect(await evaluations.insert(documents)).toEqual(documents.map(() => true));
    return documents;
  };

  it('of processes that want the same documents each document goes to one', async () => {
    await claimed(12);
    const due = await evaluations.due(now, 100);
    expect(due).toHaveLength(12);
    const taken = await Promise.all([due, due, due].flat().map((document) => evaluations.take(document, now)));
    expect(taken.filter((ours) => ours !== null)).toHaveLength(12);
    expect(await evaluations.due(now, 100)).toEqual([]);
    const all = await evaluations.byIds(due.map(({ _id }) => _id));
    expect(new Set(all.map(({ fence }) => fence))).toEqual(new Set([2]));
  });

  it('says which documents were claimed before', async () => {
    const documents = await claimed(3);
    const [, second] = documents;
    const other = { ...(second as (typeof documents)[number]), _id: 'chg_new' };
    expect(await evaluations.insert([documents[0] as typeof other, other, documents[2] as typeof other])).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('replaces no document whose fence has moved on', async () => {
    const [document] = await claimed(1);
    if (!document) throw new Error('none');
    await evaluations.take(document, now);
    const { due: _, ...rest } = document;
    expect(await evaluations.replace([{ ...rest, state: 'done' }])).toBe(false);
    expect(await evaluations.replace([{ ...rest, state: 'done', fence: 2 }])).toBe(true);
    expect(await evaluations.byIds([document._id])).toMatchObject([{ state: 'done', fence: 2 }]);
    expect((await evaluations.byIds([document._id]))[0]).not.toHaveProperty('due');
  });

  it('takes nothing that was ended or renewed since it was found due', async () => {
    const [ended, renewed] = await claimed(2);
    if (!ended || !renewed) throw new Error('none');
    const found = await evaluations.due(now, 10);
    const { due: _, subject: _subject, ...rest } = ended;
    expect(await evaluations.replace([{ ...rest, state: 'done' }])).toBe(true);
    await evaluations.renew([renewed], now);
    for (const document of found) expect(await evaluations.take(document, now, { state: 'open' })).toBeNull();
    expect((await evaluations.byIds([ended._id, renewed._id])).map(({ state, fence }) => [state, fence])).toEqual([
      ['done', 1],
      ['open', 1],
    ]);
  });

  it('leaves to the next start what a process that died has held', async () => {
    const [document] = await claimed(1);
    await evaluations.take(document as NonNullable<typeof document>, now);
    expect(await evaluations.due(now, 10)).toEqual([]);
    await evaluations.abandonLeases(now);
    expect(await evaluations.due(now, 10)).toHaveLength(1);
  });

  it('keeps the lease of one that is worked on for longer than a lease lasts, and no longer', async () => {
    const [document] = await claimed(1);
    if (!document) throw new Error('none');
    let time = now;
    const claims = claimsPort(evaluations, { now: () => time });
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    expect(await claims.save(document)).toBe(true);
    const work = claims.holding(document, () => finished);
    for (let renewals = 0; renewals < 2; renewals += 1) {
      time += leaseTime - 1_000;
      await waitFor(async () => ((await evaluations.byIds([document._id]))[0]?.due ?? 0) >= time + leaseTime);
      expect(await evaluations.due(time, 10)).toEqual([]);
    }
    finish();
    await work;
    time += leaseTime + 1_000;
    expect(await evaluations.due(time, 10)).toHaveLength(1);
  }, 60_000);

  it('named queries walk an index', async () => {
    await claimed(3);
    const recorded = recordedQueries(store);
    const asked = await openEvaluations(recorded.store);
    await asked.due(now, 5);
    await asked.recorded({ from: 0, to: now }, 5);
    await asked.idsOfCustomer(7);
    expect(recorded.sent.length).toBeGreaterThan(3);
    for (const { documents, filter, sort } of recorded.sent) await expectUsesIndex(store, documents, filter, sort);
    expect(await evaluations.oldestOpen()).not.toBeNull();
  });
});
