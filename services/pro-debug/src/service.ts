import { serviceOf, startPolling, withId } from '@order-automation/service';
import {
  cancelBacktest,
  getBacktest,
  judgeReader,
  openBacktests,
  startBacktest,
  startBacktests,
} from './backtest/jobs';
import type { ProDebugConfig } from './config';
import { openDebugDeps } from './deps';
import { explainOrder } from './explain/explain';
import { searchOrders, testRuleOnOrder, whyOrder } from './handlers';
import { licensed } from './licence';
import { simulateEvent } from './rule-tests/simulate';
import { ruleDigest } from './rule-tests/test-runs';

const hour = 60 * 60 * 1000;
/** Milliseconds that a test run is kept. */
const keepRuns = 30 * 24 * hour;
/** The same of a back-test, from when it began. */
const keepBacktests = 24 * hour;

/** Order search, rule test, and why things happened or did not (section 4.4 of the specification). Changes nothing. */
export const startProDebug = serviceOf(async (deps, config: ProDebugConfig, opened) => {
  const { bus, store, clock, log } = deps;
  const inner = await openDebugDeps(deps, config);
  const { runs } = inner;
  const jobs = await openBacktests(store);
  const backtesting = { jobs, judge: judgeReader(bus), clock, log, runs };
  const backtests = startBacktests(backtesting);
  opened('back-tests', backtests.close);
  await licensed(bus, 'debug.rule.test.v1', (input) => testRuleOnOrder(input, inner));
  await licensed(bus, 'debug.order.explain.v1', (input) => explainOrder(input, inner));
  await licensed(bus, 'debug.order.why.v1', (input) => whyOrder(input, inner));
  await licensed(bus, 'debug.order.simulate.v1', (input) => simulateEvent(input, inner));
  await licensed(bus, 'debug.backtest.start.v1', (input) => startBacktest(input, inner, backtesting, backtests.kick));
  await licensed(bus, 'debug.backtest.list.v1', async () => ({ jobs: (await jobs.newest()).map(withId) }));
  await licensed(bus, 'debug.backtest.get.v1', ({ id }) => getBacktest(id, jobs));
  await licensed(bus, 'debug.backtest.cancel.v1', (input) => cancelBacktest(input, backtesting));
  await bus.respond('debug.rule.tested.v1', async ({ rule }) => ({ tested: await runs.isTested(ruleDigest(rule)) }));
  await bus.respond('debug.order.search.v1', (input) => searchOrders(input, inner));
  const purge = () => Promise.all([runs.purge(clock.now() - keepRuns), jobs.purge(clock.now() - keepBacktests)]);
  opened('cleaning', startPolling('removal of old test runs', hour, purge, deps).close);
  return {};
});
