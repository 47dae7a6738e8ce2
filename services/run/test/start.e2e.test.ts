import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { waitFor } from '@order-automation/testing';
import { freePort } from './product';

const root = join(__dirname, '../../..');
const main = join(__dirname, '../dist/main.js');

type Run = {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** The exit code, or the signal. */
  readonly ended: Promise<number | string | null>;
};

let folder: string;
const running: Run[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'order-automation-start-'));
});
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true });
});

function run(env: Record<string, string>, command = process.execPath, args: readonly string[] = [main]): Run {
  const child = spawn(command, args, {
    cwd: command === 'npm' ? root : folder,
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: join(folder, 'data'), PORT: '0', OPS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = [child.stdout, child.stderr].map((stream) => {
    let text = '';
    stream?.on('data', (chunk) => {
      text += String(chunk);
    });
    return () => text;
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string | null);
  const started: Run = { child, out: out ?? String, err: err ?? String, ended };
  running.push(started);
  return started;
}

const started = (it: Run) =>
  waitFor(
    () => {
      if (it.child.exitCode !== null) throw new Error(it.err());
      return it.out().includes('order automation is ready');
    },
    { timeout: 30_000, describe: 'the line that says it is ready' },
  );

async function refusal(env: Record<string, string>): Promise<string> {
  const it = run(env);
  expect(await it.ended).toBe(2);
  return it.err();
}

test('a second process on one data folder stops and names the pid of the first; it gets the folder once the first was killed', async () => {
  const first = run({});
  await started(first);
  expect(await refusal({})).toMatch(`DATA_DIR: is used by another process (pid ${first.child.pid})`);
  first.child.kill('SIGKILL');
  await first.ended;
  await started(run({}));
}, 60_000);

test('it is ready when the public port is open, not before', async () => {
  const [port, ops] = [await freePort(), await freePort()];
  run({ PORT: String(port), OPS_PORT: String(ops) });
  const statusOf = (url: string) =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    );
  // Without a pause: the time between the two is short.
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    if ((await statusOf(`http://127.0.0.1:${ops}/readyz`)) !== 200) continue;
    expect(await statusOf(`http://127.0.0.1:${port}/v1/webhooks/health`)).toBe(200);
    return;
  }
  throw new Error('it never was ready');
}, 60_000);

test('a SIGTERM to `npm start` ends node, and cleanly', async () => {
  const npm = run({}, 'npm', ['start', '--silent']);
  await started(npm);
  const pid = Number(readFileSync(join(folder, 'data/process.pid'), 'utf8'));
  expect(pid).not.toBe(npm.child.pid);
  npm.child.kill('SIGTERM');
  await npm.ended;
  await waitFor(() => !alive(pid), { describe: 'the end of node' });
  expect(npm.out()).toContain('"msg":"closing"');
}, 60_000);

test('data folder and files are for their owner alone, whatever their modes were', async () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'generated.env'), '');
  chmodSync(data, 0o755);
  chmodSync(join(data, 'generated.env'), 0o644);
  await started(run({}));
  expect(statSync(data).mode & 0o777).toBe(0o700);
  const modes = readdirSync(data).map((name) => [name, (statSync(join(data, name)).mode & 0o777).toString(8)]);
  expect(modes.length).toBeGreaterThan(10);
  expect(modes.filter(([, mode]) => mode !== '600')).toEqual([]);
}, 60_000);

test('without a terminal no secret that the first start makes is printed', async () => {
  const it = run({ LOG_LEVEL: 'trace' });
  await started(it);
  const generated = parseEnv(readFileSync(join(folder, 'data/generated.env'), 'utf8'));
  expect(Object.keys(generated)).toHaveLength(4);
  for (const secret of Object.values(generated)) expect(it.out() + it.err()).not.toContain(secret);
  const port = /"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(it.out())?.[1];
  const answer = await fetch(`http://127.0.0.1:${port}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: generated.ADMIN_PASSWORD }),
  });
  expect(answer.status).toBe(200);
}, 60_000);

test('a misspelt variable, the distributed mode and a wrong folder each stop the start with a sentence', async () => {
  expect(await refusal({ GENERIC_REQUIRE_CONECTION: 'true' })).toContain(
    'GENERIC_REQUIRE_CONECTION: is not a variable of this product. Did you mean GENERIC_REQUIRE_CONNECTION?',
  );
  const other = await refusal({ NATS_URL: 'nats://me:canary@127.0.0.1:4222', MONGODB_URI: 'mongodb://127.0.0.1/' });
  expect(other).toMatch(/NATS_URL: belongs to the distributed mode.*npm run start:distributed/);
  expect(other).toMatch(/MONGODB_URI: belongs to the distributed mode/);
  expect(other).not.toContain('canary');
  writeFileSync(join(folder, 'file'), '');
  expect(await refusal({ DATA_DIR: join(folder, 'file') })).toMatch(/DATA_DIR: is a file, not a folder.*Example:/);
  expect(await refusal({ DATA_DIR: join(folder, 'file/below') })).toMatch(/DATA_DIR: leads through a file/);
}, 60_000);

test('a SECRET_KEY that does not fit the data, or is gone, stops the start; so does a mail server without a sender', async () => {
  const first = run({});
  await started(first);
  first.child.kill('SIGTERM');
  await first.ended;
  const other = await refusal({ SECRET_KEY: Buffer.alloc(32, 9).toString('base64') });
  expect(other).toMatch(/SECRET_KEY: does not fit the data of this installation/);
  rmSync(join(folder, 'data/generated.env'));
  expect(await refusal({})).toMatch(/SECRET_KEY: is not set, and .*generated.env, which kept it, is gone/);
  expect(readdirSync(join(folder, 'data'))).not.toContain('generated.env');
  const mail = await refusal({ DATA_DIR: join(folder, 'mail'), SMTP_URL: 'smtp://mail.example:25' });
  expect(mail).toContain('SMTP_FROM: is not set, and SMTP_URL needs it');
}, 90_000);

test.each([
  ['npm', ['start', '--silent', '--', '--help'], 'Usage: npm start -- [--help]', 'DATA_DIR'],
  ['npm', ['run', 'start:distributed', '--silent', '--', '--help'], 'Usage: npm run start:distributed', 'NATS_URL'],
  [
    process.execPath,
    [join(root, 'services/rules/dist/main.js'), '--help'],
    'Usage: node services/rules',
    'MONGODB_URI',
  ],
])(
  '%s %j prints help and starts nothing',
  async (command, args, usage, variable) => {
    const it = run({}, command, args);
    expect(await it.ended).toBe(0);
    expect(it.out()).toContain(usage);
    expect(it.out()).toContain(`  ${variable}\n`);
    expect(readdirSync(folder)).not.toContain('data');
  },
  60_000,
);

test('an address that is taken, or is none of this machine, is named by its variable', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const refusals = [];
  for (const env of [{ OPS_PORT: port }, { PORT: port }, { HOST: '192.0.2.1' }]) refusals.push(await refusal(env));
  server.close();
  expect(refusals[0]).toContain(`  OPS_PORT: port ${port} of 127.0.0.1 is in use by another process`);
  expect(refusals[1]).toContain(`  PORT: port ${port} of 127.0.0.1 is in use by another process`);
  expect(refusals[2]).toContain('  HOST: "192.0.2.1" is not an address of this machine');
}, 60_000);

test('files of the wallet that cannot be read are named by their variable, with what is wrong', async () => {
  mkdirSync(join(folder, 'wallet'));
  writeFileSync(join(folder, 'wallet/CERT-1.pem'), 'no certificate');
  writeFileSync(join(folder, 'roots.pem'), 'no certificate');
  const cases: [env: Record<string, string>, problem: RegExp][] = [
    [{ GATEWAY_WALLET_CERTIFICATES: './none' }, /GATEWAY_WALLET_CERTIFICATES: cannot be read \(ENOENT.*Example:/],
    [
      { GATEWAY_WALLET_CERTIFICATES: './wallet' },
      /GATEWAY_WALLET_CERTIFICATES: cannot be read \(CERT-1.pem: there is no/,
    ],
    [{ GATEWAY_WALLET_TRUST: './none' }, /GATEWAY_WALLET_TRUST: cannot be read \(ENOENT.*Example:/],
    [{ GATEWAY_WALLET_TRUST: './roots.pem' }, /GATEWAY_WALLET_TRUST: cannot be read \(there is no certificate/],
  ];
  for (const [env, problem] of cases) expect(await refusal(env)).toMatch(problem);
}, 120_000);

test('a data folder of which a restore was interrupted is not started on', async () => {
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/restore.unfinished'), '');
  expect(await refusal({})).toContain('DATA_DIR: holds a part of a backup, whose restore was interrupted');
}, 60_000);

// Debian 12 has Node.js 18: it fails at the first module that it cannot load.
test.each(['main', 'distributed', 'worker', 'backup/main', 'migrate/main'])(
  '%s says which Node.js it needs where that is too old',
  async (program) => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const asOld = join(folder, 'old.cjs');
    writeFileSync(asOld, `Object.defineProperty(process.versions, 'node', { value: '20.18.3' });`);
    const it = run({}, process.execPath, ['--require', asOld, join(main, '..', `${program}.js`)]);
    expect(await it.ended).toBe(2);
    const oldest = engines.node.replace('>=', '');
    expect(it.err()).toBe(`Node.js ${oldest} or newer is needed; this is 20.18.3.\n`);
  },
  30_000,
);

test('an extension that is broken stops the start with its name and what is wrong with it', async () => {
  const moduleOf = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return `./${name}`;
  };
  const taken = `{ id: 'order_total', label: 'a', description: 'b', schema: { type: 'object' }, compile: () => () => null }`;
  const cases: [module: string, problem: string | RegExp][] = [
    ['./missing.mjs', `./missing.mjs: there is no file ${join(folder, 'missing.mjs')}`],
    [moduleOf('empty.mjs', 'export const registerComponents = 1;'), 'exports neither register_gateway_adapters nor'],
    [moduleOf('syntax.mjs', 'export const a = 1;\nexport const b = {;'), './syntax.mjs: Unexpected token'],
    [
      moduleOf('taken.mjs', `export const register_components = (to) => to.registerCondition(${taken});`),
      './taken.mjs: condition order_total: its id is taken',
    ],
    [
      moduleOf(
        'adapter.mjs',
        `export const register_gateway_adapters = (to) => to.registerAdapter({ gateway: 'bank' });`,
      ),
      './adapter.mjs: The adapter of "bank" has no function getSupportedEventTypes, validateAuthenticity',
    ],
  ];
  for (const [module, problem] of cases) expect(await refusal({ EXTENSIONS: module })).toMatch(problem);
}, 120_000);

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each(['embedded', 'threads/processing-thread'])(
  '%s loads no driver that the embedded process has no use for',
  (module) => {
    const unused = ['mongodb', 'nats', 'nodemailer', 'pino-pretty'];
    // What is loaded, not what runs: the thread launches nothing without its ports.
    const program = `try { require('./${module}') } catch { }
    const loaded = (name) => Object.keys(require.cache).some((file) => file.includes('/node_modules/' + name + '/'));
    console.log(JSON.stringify([loaded('zod'), ...${JSON.stringify(unused)}.filter(loaded)]))`;
    const { stdout } = spawnSync(process.execPath, ['-e', program], { cwd: join(main, '..'), encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual([true]);
  },
);
