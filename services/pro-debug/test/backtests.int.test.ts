import { type RequestOutput, ServiceError } from '@order-automation/contracts';
import { type Relay, withId } from '@order-automation/service';
import { buildRule, describeLanes, settableClock, waitFor } from '@order-automation/testing';
import { type BacktestDeps, openBacktests, startBacktests } from '../src/backtest/jobs';
import { tallyOf } from '../src/backtest/tally';

const unavailable = () => new ServiceError(503, 'svc_unavailable', 'Evaluation does not answer.');
const lastPage: RequestOutput<'evaluation.events.judge.v1'> = {
  total: 2,
  events: [
    {
      event_id: 'evt_1',
      process_id: 'proc_1',
      order_id: 1,
      at: '2026-01-05T00:00:00.000Z',
      event_type: 'payment_completed',
      gateway: 'generic',
      value: null,
      candidate: { verdict: 'no_match', actions: [] },
      saved: null,
    },
  ],
  next: null,
};

describeLanes('back-tests', (lane) => {
  const relays: Relay[] = [];
  afterEach(async () => {
    for (const relay of relays.splice(0)) await relay.close();
  });

  test('while a page is tried again the job stays with its process', async () => {
    const clock = settableClock();
    const { store, log } = await lane.deps({ database: 'backtests', clock });
    const jobs = await openBacktests(store);
    const calls: string[] = [];
    const start = (name: string, judge: BacktestDeps['judge']) =>
      relays.push(
        startBacktests({
          jobs,
          clock,
          log,
          runs: { record: async () => undefined },
          judge: (input) => {
            calls.push(name);
            return judge(input);
          },
        }),
      );
    await jobs.insert({
      _id: 'bkt_1',
      state: 'running',
      by: 'ada',
      rule: { rule_id: 1, rule_name: 'Complete', version: 1 },
      compared_with: null,
      last: 10,
      from: null,
      to: new Date(clock.now()).toISOString(),
      total: 0,
      looked: 0,
      result: tallyOf(false).result(),
      reason: null,
      started_at: new Date(clock.now()).toISOString(),
      finished_at: null,
      candidate: buildRule({ id: 1 }),
      saved: null,
      fence: 0,
      due: clock.now(),
    });
    // Each try takes most of a lease.
    start('first', () => {
      clock.advance(25_000);
      return calls.length < 4 ? Promise.reject(unavailable()) : Promise.resolve(lastPage);
    });
    await waitFor(() => calls.length === 1);
    start('second', () => Promise.resolve(lastPage));
    const job = async () => jobs.byId('bkt_1');
    await waitFor(async () => (await job())?.state !== 'running');
    expect(calls).toEqual(['first', 'first', 'first', 'first']);
    expect(withId((await job()) as never)).toMatchObject({
      state: 'done',
      // One was deleted meanwhile.
      total: 1,
      looked: 1,
      result: { unchanged: { not_matching: 1 } },
    });
  }, 40_000);
});
