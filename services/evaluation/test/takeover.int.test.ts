import { describeLanes, settableClock } from '@order-automation/testing';
import { type Evaluations, openEvaluations } from '../src/evaluations';
import { sweptEvents } from '../src/takeover';
import { workOfChange } from '../src/work';

describeLanes('evaluation: open documents', (lane) => {
  const now = Date.UTC(2026, 0, 2);
  let evaluations: Evaluations;

  beforeEach(async () => {
    evaluations = await openEvaluations(await lane.store());
  });

  const claimed = async (count: number) => {
    const cause = { process_id: 'proc_1', depth: 0, author: 'admin' };
    const change = { order_id: 1, kind: 'status_changed', from: 'pending', to: 'completed', cause } as const;
    const at = new Date(now).toISOString();
    const documents = Array.from(
      { length: count },
      (_, index) => workOfChange({ ...change, change_id: `chg_${index}`, at }).document,
    );
    await evaluations.claim(documents);
    return documents;
  };

  it('of sweeps that fight over the same documents each document goes to one', async () => {
    await claimed(40);
    const expired = await evaluations.expired(now, 100);
    expect(expired).toHaveLength(40);
    const halves = [expired, expired.slice(0, 20), expired.slice(10)];
    const taken = await Promise.all(
      halves.map((half, index) => evaluations.takeOver(half, `run_${index}`, now + 10_000)),
    );
    const all = taken.flatMap((ids) => [...ids]);
    expect([all.length, new Set(all).size]).toEqual([40, 40]);
    expect(await evaluations.expired(now, 100)).toEqual([]);
    expect((await evaluations.byIds(all)).map(({ fence }) => fence)).toEqual(all.map(() => 2));
    expect(await evaluations.takeOver([], 'run_3', now)).toEqual(new Set());
  });

  it('leaves what was set back to the next sweep', async () => {
    const clock = settableClock(now);
    const [document] = await claimed(1);
    const expired = sweptEvents({ evaluations, clock });
    expect(await expired(10)).toHaveLength(1);
    clock.advance(500);
    await evaluations.release([document?._id ?? ''], clock.now(), 0);
    expect(await expired(10)).toHaveLength(0);
    clock.advance(500);
    expect(await expired(10)).toHaveLength(1);
  });

  it('finishes documents of several outcomes, and none whose fence has moved on', async () => {
    const documents = await claimed(5);
    for (const [index, document] of documents.entries()) document.outcome = index < 2 ? 'success' : 'no_match';
    const [lost] = documents;
    await evaluations.takeOver(lost ? [lost] : [], 'run_1', now + 10_000);
    await evaluations.finish(documents, now);
    const stored = (await evaluations.byIds(documents.map(({ _id }) => _id))).sort((a, b) => (a._id < b._id ? -1 : 1));
    expect(stored.map(({ state, outcome }) => [state, outcome])).toEqual([
      ['open', null],
      ['done', 'success'],
      ['done', 'no_match'],
      ['done', 'no_match'],
      ['done', 'no_match'],
    ]);
    expect(stored.map(({ occurrence }) => occurrence === null)).toEqual([false, true, true, true, true]);
  });
});
