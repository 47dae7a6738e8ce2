import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { threadBus } from '@order-automation/bus/threads';
import { spawnThread } from '../src/threads/thread-spawn';
import { startThread } from '../src/threads/thread-start';

/** The thread runs what is built, as every program does. */
const fixture = join(__dirname, 'thread-fixture.js');

test('a thread answers on the bus, tells its metrics and what it lacks, and ends when it is closed', async () => {
  const thread = startThread(spawnThread('fixture', fixture), { niceness: 7 });
  expect(await thread.missing()).toEqual([{ part: 'thread', reason: 'not started yet' }]);
  await thread.start();
  const bus = threadBus(thread.bus);
  await expect(bus.request('shop.order.get.v1', { ids: [1] })).resolves.toEqual({ orders: [] });
  expect(await thread.metrics()).toEqual([
    { name: 'asked_total', text: expect.stringContaining('asked_total{service="fixture"} 1') },
  ]);
  const niceness = process.platform === 'linux' ? Math.max(getPriority(), 7) : 0;
  expect(await thread.missing()).toEqual([{ part: 'fixture', reason: `runs at ${niceness}` }]);
  await Promise.all([thread.close(), thread.close()]);
  await expect(bus.request('shop.order.get.v1', { ids: [1] })).rejects.toMatchObject({ code: 'closed' });
  await expect(thread.missing()).rejects.toMatchObject({ code: 'closed' });
});

test('a launch that fails is reported, and the thread can be closed', async () => {
  const thread = startThread(spawnThread('fixture', fixture), { refuse: 'not today' });
  await expect(thread.start()).rejects.toMatchObject({ name: 'BusError', code: 'unavailable', message: 'not today' });
  await thread.close();
});

test.each([
  ['throws', { die: 'out of luck' }, 'out of luck'],
  ['leaves', { leave: true }, 'has ended (code 3)'],
])('a thread that %s by itself ends the process', async (_what, settings, logged) => {
  const program = `const { startThread } = require('../dist/threads/thread-start');
    const { spawnThread } = require('../dist/threads/thread-spawn');
    startThread(spawnThread('fixture', ${JSON.stringify(fixture)}), ${JSON.stringify(settings)}).start();
    setTimeout(() => process.exit(0), 20_000);`;
  const run = promisify(execFile)(process.execPath, ['-e', program], { cwd: __dirname });
  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(logged) });
});
