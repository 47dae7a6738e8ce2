import { join } from 'node:path';
import { waitFor } from '@order-automation/testing';
import { administrator, browserPath, faultsOf, patiently, pay, startConsole } from './console-browser';

jest.setTimeout(240_000);

const day = 86_400_000;

/** Runs something by a clock that is a day behind, as that of the product is meanwhile. */
async function aDayAgo(run: () => Promise<unknown>): Promise<void> {
  const { now } = Date;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - day);
  await run().finally(() => clock.mockRestore());
}

(browserPath ? test : test.skip)('the failures of yesterday are replayed, and nothing else', async () => {
  const NODE_OPTIONS = `--require ${join(__dirname, 'drill', 'clock-ahead.cjs')}`;
  const running = await startConsole({ NODE_OPTIONS, CLOCK_AHEAD: String(-day) });
  try {
    await aDayAgo(async () => {
      await pay(running, 1003, 6_850, 'eur');
      await pay(running, 1002, 5_900, 'eur');
    });
    await running.giveUp('The shop was away.');
    await running.stop();
    await running.start({ CLOCK_AHEAD: '0' });
    await pay(running, 1004, 2_900, 'usd');
    const { page, complaints } = await administrator(running);

    await page.getByRole('link', { name: 'See why and replay' }).click();
    await page.waitForURL(/\/events\?state=dead/);
    await page.getByRole('link', { name: 'Yesterday' }).click();
    const letters = page.getByRole('checkbox', { name: /^Select / });
    await waitFor(async () => (await letters.count()) === 2, patiently);
    await page.getByRole('listitem').filter({ hasText: '2 The shop was away.' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Replay all that match' }).click();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('2 events replayed').waitFor();
    await waitFor(async () => (await letters.count()) === 0, patiently);

    const evaluations = (order: number) =>
      running.call<{ logs: unknown[] }>(
        'GET',
        `/v1/audit-log?view=flat&event_type=process_completed&order_id=${order}`,
      );
    const counted = async () =>
      Promise.all([1002, 1003, 1004].map(async (order) => (await evaluations(order)).logs.length));
    await waitFor(async () => String(await counted()) === '2,2,1', { describe: 'both evaluated again', ...patiently });
    expect(complaints).toEqual([]);
  } finally {
    await running.close();
  }
});
