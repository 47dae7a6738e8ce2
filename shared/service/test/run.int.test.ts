import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { dropNamespace, freshNamespace, lanes, waitFor } from '@order-automation/testing';

type Fixture = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly listening: () => { ops: number; port?: number } | undefined;
  readonly exited: Promise<number | string>;
};

/** A start tries again and again, with growing pauses; beside other suites on one database some of it takes its time. */
jest.setTimeout(120_000);

const running: Fixture[] = [];
const namespace = freshNamespace();
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => dropNamespace(namespace));

/** Runs the fixture as a process of its own, from its source. */
function start(env: Record<string, string>): Fixture {
  const child = fork(join(__dirname, 'run-fixture.ts'), [], {
    cwd: __dirname,
    env: { PATH: process.env.PATH, NAMESPACE: namespace, OPS_PORT: '0', ...env },
    execArgv: ['--conditions=source', '--import', 'tsx'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  let listening: { ops: number } | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  child.on('message', (message) => {
    listening = message as { ops: number };
  });
  const exited = Promise.all([
    once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string),
    ...[child.stdout, child.stderr].map((stream) => stream && finished(stream)),
  ]).then(([code]) => code);
  const fixture = { child, output: () => output, listening: () => listening, exited };
  running.push(fixture);
  return fixture;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function readyz(ops: number) {
  const response = await fetch(`http://127.0.0.1:${ops}/readyz`);
  return {
    status: response.status,
    missing: ((await response.json()) as { missing: { part: string; reason: string }[] }).missing,
  };
}

test('a wrong configuration ends the process with 2 and says what is wrong, without secrets', async () => {
  const { exited, output } = start({ LOG_LEVEL: 'loud', MONGODB_URI: 'postgres://me:canary@h/', NATS_URL: '' });
  expect(await exited).toBe(2);
  for (const variable of ['LOG_LEVEL', 'NATS_URL', 'MONGODB_URI']) expect(output()).toContain(`  ${variable}: `);
  expect(output()).not.toContain('canary');
});

test('while its servers are away it is alive, says what is missing, and stops when told', async () => {
  const [ops, away] = [await freePort(), await freePort()];
  const { child, exited, output } = start({
    OPS_PORT: String(ops),
    NATS_URL: `nats://me:canary@127.0.0.1:${away}`,
    MONGODB_URI: `mongodb://me:canary@127.0.0.1:${away}/`,
  });
  const { missing } = await waitFor(
    async () => {
      const answer = await readyz(ops);
      return answer.missing.every(({ part, reason }) => part === 'fixture' || reason !== 'not started yet') && answer;
    },
    { describe: 'reasons' },
  );
  expect(missing.map(({ part }) => part)).toEqual(['bus', 'store', 'fixture']);
  expect((await fetch(`http://127.0.0.1:${ops}/healthz`)).status).toBe(200);
  await waitFor(() => /connecting to the bus failed/.test(output()) && /connecting to the store failed/.test(output()));
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(output()).not.toContain('canary');
});

const { nats, mongodb } = lanes();
const missing = [nats, mongodb].flatMap((server) => ('missing' in server ? [server.missing] : []));
const describeRun = missing.length > 0 ? describe.skip : describe;

describeRun(`run [distributed]${missing.length > 0 ? ` (skipped: ${missing.join('; ')})` : ''}`, () => {
  const env = (extra: Record<string, string> = {}) => ({
    NATS_URL: 'uri' in nats ? nats.uri : '',
    MONGODB_URI: 'uri' in mongodb ? mongodb.uri : '',
    NAMESPACE: freshNamespace(namespace),
    ...extra,
  });
  const started = async (extra?: Record<string, string>) => {
    const fixture = start(env(extra));
    await waitFor(() => fixture.listening() ?? fixture.child.exitCode !== null, { timeout: 90_000 }).catch(() => {
      throw new Error(`The fixture did not start: ${fixture.output()}`);
    });
    return fixture;
  };

  test('it starts, after failures too, tells its ports, is ready, and closes in reverse when told', async () => {
    const { child, exited, output, listening } = await started({ FAILURES: '2' });
    const ports = listening();
    expect(ports).toEqual({ type: 'listening', service: 'fixture', ops: expect.any(Number), port: expect.any(Number) });
    expect(output()).toContain('starting fixture failed');
    expect(await readyz(ports?.ops ?? 0)).toEqual({ status: 200, missing: [] });
    const metrics = await (await fetch(`http://127.0.0.1:${ports?.ops}/metrics`)).text();
    expect(metrics).toContain('process_cpu_seconds_total{service="fixture"}');
    child.kill('SIGUSR2');
    await waitFor(() => output().includes('service drains'), { describe: 'that it drains' });
    expect((await readyz(ports?.ops ?? 0)).status).toBe(200);
    child.kill('SIGTERM');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(output()).toContain('service closed');
  });

  test('the death of the process that forked it closes it', async () => {
    const { child, exited, output } = await started();
    child.disconnect();
    expect(await exited).toBe(0);
    expect(output()).toContain('service closed');
  });

  test.each(['rejects', 'throws'])(
    'an error that nobody caught (%s) is logged and ends it with 1',
    async (behaviour) => {
      const { exited, output } = start(env({ BEHAVIOUR: behaviour }));
      expect(await exited).toBe(1);
      expect(output()).toContain('nobody catches me');
      expect(output()).toContain('"level":"fatal"');
    },
  );

  test('readiness says what is wrong with a running service; closing that fails ends with 1', async () => {
    const { child, exited, listening, output } = await started({ BEHAVIOUR: 'fails to close' });
    expect(await readyz(listening()?.ops ?? 0)).toEqual({
      status: 503,
      missing: [{ part: 'fixture', reason: 'behaves: fails to close' }],
    });
    child.kill('SIGINT');
    expect(await exited).toBe(1);
    expect(output()).toContain('it does not close');
  });

  test('closing that hangs is cut off after 10 s, with 1', async () => {
    const { child, exited } = await started({ BEHAVIOUR: 'hangs' });
    const since = Date.now();
    child.kill('SIGTERM');
    expect(await exited).toBe(1);
    expect(Date.now() - since).toBeGreaterThan(9_000);
    expect(Date.now() - since).toBeLessThan(13_000);
  });
});
