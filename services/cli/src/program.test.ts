import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import help from './commands.json';
import { exitCodes } from './failure';
import { runProgram } from './program';

const nobody = 'http://127.0.0.1:9';

const run = (...args: readonly string[]) => runAt(nobody, ...args);
const runAt = (url: string, ...args: readonly string[]) => runWith([], url, ...args);

async function runWith(lines: readonly string[], url: string, ...args: readonly string[]) {
  const printed = { out: '', err: '' };
  const terminal = {
    write: (text: string) => {
      printed.out += text;
    },
    warn: (text: string) => {
      printed.err += text;
    },
    isInteractive: false,
    width: 100,
  };
  const env = { ORDERCTL_URL: url, ORDERCTL_USER: 'admin', ORDERCTL_PASSWORD: 'x' };
  const code = await runProgram(args, {
    env,
    terminal,
    input: Readable.from(lines),
    signal: new AbortController().signal,
  });
  return { code, ...printed };
}

const commands = [
  [],
  ['login'],
  ['health'],
  ['why'],
  ['events', 'list'],
  ['events', 'show'],
  ['events', 'replay'],
  ['dead-letters'],
  ['deliveries', 'list'],
  ['deliveries', 'resend'],
  ['rules', 'list'],
  ['rules', 'pull'],
  ['rules', 'push'],
  ['rules', 'diff'],
  ['rules', 'test'],
  ['log', 'tail'],
  ['log', 'search'],
  ['log', 'export'],
  ['log', 'verify'],
  ['log', 'heads'],
  ['log', 'verify-export'],
  ['mcp'],
  ['connections', 'list'],
  ['connections', 'create'],
  ['connections', 'rotate'],
  ['connections', 'secrets', 'list'],
  ['connections', 'test'],
  ['gateways', 'secrets', 'list'],
  ['gateways', 'secrets', 'add'],
  ['gateways', 'secrets', 'remove'],
  ['trigger'],
  ['shop', 'show'],
  ['shop', 'connect'],
  ['shop', 'check'],
  ['shop', 'disconnect'],
  ['users', 'list'],
  ['users', 'create'],
  ['rules', 'versions'],
  ['rules', 'templates'],
  ['rules', 'add'],
  ['rules', 'enable'],
  ['rules', 'delete'],
  ['rules', 'restore'],
  ['admin', 'reset-password'],
];

test.each(commands.map((words) => [words.join(' '), words] as const))(
  'orderctl %s --help prints help',
  async (_, words) => {
    const { code, out } = await run(...words, '--help');
    expect(code).toBe(exitCodes.done);
    expect(out).toContain('Usage: orderctl');
  },
);

test.each(Object.entries(help))('orderctl %s says what it does', async (words, { about }) => {
  const { out } = await run(...words.split(' '), '--help');
  expect(out.replaceAll(/\s+/g, ' ')).toContain(about);
});

test.each(Object.keys(help))('the guide has orderctl %s', (words) => {
  // What a group does by itself is not written out.
  const [group = '', name = group] = words.replace(/ (list|show)$/, '').split(' ');
  const guide = readFileSync(join(__dirname, '../../../docs/guide/command-line.md'), 'utf8');
  const lines = guide.split('\n').filter((line) => new RegExp(`(\`|orderctl )${group}\\b`).test(line));
  expect(lines.filter((line) => new RegExp(`\\b${name}\\b`).test(line))).not.toEqual([]);
});

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));
  expect(await run('--version')).toEqual({ code: exitCodes.done, out: `${version}\n`, err: '' });
});

test('a misspelt command is refused with the nearest one', async () => {
  const { code, err } = await run('event');
  expect(code).toBe(exitCodes.usage);
  expect(err).toContain('Did you mean events?');
});

test('a service that cannot be reached is not reported as a refusal', async () => {
  const { code, err } = await run('rules', 'list');
  expect(code).toBe(exitCodes.unavailable);
  expect(err).toMatch(/http:\/\/127\.0\.0\.1:9 cannot be reached/);
});

test('nothing is changed where nobody could be asked', async () => {
  const { code, err } = await run('connections', 'create', 'warehouse');
  expect(code).toBe(exitCodes.usage);
  expect(err).toContain('http://127.0.0.1:9 as admin: create the connection warehouse');
  expect(err).toContain('Nothing was changed: there is no terminal to ask at.');
  expect(err).toContain('Add --yes');
});

test('admin commands touch no installation that nobody named', async () => {
  const { code, err } = await run('admin', 'reset-password');
  expect(code).toBe(exitCodes.usage);
  expect(err).toContain('--data-dir');
});

test('secrets are valid; they do not count', async () => {
  for (const command of [
    ['gateways', 'secrets'],
    ['connections', 'secrets'],
    ['gateways', 'secrets', 'add'],
  ])
    expect((await run(...command, '--help')).out).not.toMatch(/\bcounts?\b/);
});

test('a password that is piped in is the one that is tried and kept, whatever the environment has', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 'rest_forbidden', message: 'Wrong.', data: { status: 401 } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code } = await runWith(['piped\n'], url, 'login', url, '--password-stdin');
  await new Promise((resolve) => server.close(resolve));
  expect(code).toBe(exitCodes.refused);
  expect(seen).toEqual([`Basic ${Buffer.from('admin:piped').toString('base64')}`]);
});

test('an export is printed as it came, also where a character lies in two pieces', async () => {
  const text = Buffer.from('{"summary":"Zoë paid 5 €"}\n');
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(text.subarray(0, 15));
    setTimeout(() => response.end(text.subarray(15)), 50);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { out } = await runAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'log', 'export');
  await new Promise((resolve) => server.close(resolve));
  expect(out).toBe(text.toString());
});

test('a rule file that is no JSON is a wrong call, and not a rule that would not match', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'orderctl-')), 'rule.json');
  writeFileSync(file, '{');
  for (const words of [
    ['rules', 'test', file, '--order', '1'],
    ['rules', 'backtest', file],
  ]) {
    const { code, err } = await run(...words);
    expect([code, err]).toEqual([exitCodes.usage, expect.stringContaining(`${file} is not JSON.`)]);
  }
  rmSync(dirname(file), { recursive: true });
  expect((await run('connections', 'rotate', 'erp', '--overlap', 'soon', '--yes')).code).toBe(exitCodes.usage);
});

/** A server that answers every request so, for what a command says of it. */
async function against(answer: RequestListener, ...words: readonly string[]) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, err } = await runAt(url, ...words);
  await new Promise((resolve) => server.close(resolve));
  return { code, err: err.replaceAll(url, 'URL') };
}

test('a proxy that has nobody behind it, and one that sends elsewhere, are named as that', async () => {
  const badGateway: RequestListener = (_request, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
  };
  for (const words of [['rules', 'list'], ['health'], ['log', 'export']])
    expect(await against(badGateway, ...words)).toEqual({
      code: exitCodes.unavailable,
      err: 'URL answered 502: the service behind it does not answer.\nTry again in a moment.\n',
    });
  // The password is not sent to another origin (Fetch standard, HTTP-redirect fetch), and a POST would become a GET.
  const seen: string[] = [];
  const elsewhere: RequestListener = ({ url = '' }, response) => {
    seen.push(url);
    response.writeHead(301, { location: `/shop${url}` }).end();
  };
  for (const words of [['rules', 'list'], ['health']])
    expect(await against(elsewhere, ...words)).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringMatching(/^URL sends on to URL\/shop\/v1\/[^\n]*\nUse the address of the service itself/),
    });
  expect(seen).toHaveLength(2);
});

test('health of a service whose intake is away says so, and of another server that it is another', async () => {
  const away: RequestListener = (_request, response) => {
    const data = { status: 503 };
    response.writeHead(503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 'svc_unavailable', message: 'The service is not available: intake.', data }));
  };
  expect(await against(away, 'health')).toEqual({
    code: exitCodes.unavailable,
    err: 'The service is not available: intake. (svc_unavailable)\nTry again in a moment.\n',
  });
  const page: RequestListener = (_request, response) => void response.end('<html>');
  expect(await against(page, 'health')).toMatchObject({ code: exitCodes.unavailable });
});

test('an answer that ends too soon is no refusal, and leaves no file that looks complete', async () => {
  const dies: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-total-count': '9' });
    response.write('{"id":1}\n');
    setTimeout(() => response.destroy(), 50);
  };
  const cut = {
    code: exitCodes.unavailable,
    err: 'The connection ended before the answer did: it is incomplete.\nTry again in a moment.\n',
  };
  const folder = mkdtempSync(join(tmpdir(), 'orderctl-'));
  expect(await against(dies, 'log', 'export')).toEqual(cut);
  expect(await against(dies, 'log', 'export', '--output', join(folder, 'log.ndjson'))).toEqual(cut);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

// docs/guide/command-line.md: 2 is wrong usage; 1 would tell a deployment that the rules differ.
test('a file that cannot be written is a wrong call', async () => {
  const answers: RequestListener = (_request, response) => void response.end('rules: []\n');
  const file = join(tmpdir(), 'no-such-folder', 'rules.yaml');
  const refused = { code: exitCodes.usage, err: `${file} cannot be written (ENOENT).\n` };
  expect(await against(answers, 'rules', 'pull', file)).toEqual(refused);
  expect(await against(answers, 'log', 'export', '--output', file)).toEqual(refused);
});
