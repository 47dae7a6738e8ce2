import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@order-automation/testing';
import { payment, postSigned, type Running, startAlone } from './products';

const program = join(__dirname, '../../cli/bin/orderctl.js');

// In one composition: it speaks HTTP alone, which both serve with the same code.
describe('orderctl', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orderctl-e2e-'));
  let running: Running;
  beforeAll(async () => {
    running = await startAlone();
  }, 60_000);
  afterAll(async () => {
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const orderctl = (...args: readonly string[]) => {
    const { PATH = '' } = process.env;
    const env = { PATH, XDG_CONFIG_HOME: folder };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      env,
      encoding: 'utf8',
      input: running.secrets.applicationPassword,
    });
    return { status, stdout, stderr };
  };
  const json = <T>(...args: readonly string[]): T => JSON.parse(orderctl('--json', ...args).stdout) as T;

  test('log in, see a payment, ask what the log says of it', async () => {
    expect(orderctl('health')).toMatchObject({ status: 2, stderr: expect.stringContaining('orderctl login') });
    const wrong = spawnSync(process.execPath, [program, 'login', running.url, '--password-stdin'], {
      env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: folder },
      encoding: 'utf8',
      input: 'not the password',
    });
    expect(wrong.status).toBe(3);
    expect(orderctl('login', running.url, '--user', 'admin', '--password-stdin')).toMatchObject({ status: 0 });
    expect(statSync(join(folder, 'orderctl/login.json')).mode & 0o777).toBe(0o600);
    expect(orderctl('health')).toMatchObject({ status: 0, stdout: expect.stringContaining('gateway_card') });
    if (existsSync('/dev/full')) {
      const full = openSync('/dev/full', 'w');
      const stdio = ['ignore', full, 'pipe'] as const;
      const options = { env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: folder }, encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync(process.execPath, [program, 'health'], { ...options, stdio: [...stdio] });
      expect([status, stderr]).toEqual([2, 'The answer cannot be written (ENOSPC).\n']);
    }

    const { process_id } = await postSigned(running, payment('cli', 1004));
    await waitFor(async () =>
      orderctl('events', 'list', '--state', 'done').stdout.includes('payment_intent_succeeded'),
    );
    const { logs } = json<{ logs: { process_id: string; event_type: string }[] }>(
      'log',
      'search',
      '--process',
      process_id,
    );
    expect(logs.map(({ event_type }) => event_type)).toContain('process_completed');
    const { events } = json<{ events: { id: string }[] }>('events', 'list');
    expect(orderctl('events', 'show', events[0]?.id ?? '')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"pi_'),
    });
    expect(orderctl('events', 'show', 'evt_none')).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('svc_event_not_found'),
    });
    expect(orderctl('log', 'verify')).toMatchObject({ status: 0, stdout: expect.stringMatching(/valid: +yes/) });
    expect(orderctl('money')).toMatchObject({ status: 0, stdout: 'No order disagrees with its money.\n' });
  });

  test('rules as a file: pull, edit, diff, push', () => {
    const file = join(folder, 'rules.yaml');
    expect(orderctl('rules', 'pull', file)).toMatchObject({ status: 0 });
    expect(orderctl('rules', 'diff', file)).toMatchObject({ status: 0 });
    writeFileSync(file, readFileSync(file, 'utf8').replace('amount: 20', 'amount: 10'));
    expect(orderctl('rules', 'diff', file)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('1 to change'),
    });
    expect(orderctl('rules', 'push', file)).toMatchObject({ status: 2, stderr: expect.stringContaining('Add --yes') });
    expect(orderctl('rules', 'push', file, '--yes')).toMatchObject({
      status: 0,
      stdout: '0 created, 1 changed, 0 deleted.\n',
    });
    expect(orderctl('rules', 'test', '1', '--order', '1006')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('matches'),
    });
    const odd = join(folder, 'odd.json');
    const rule = {
      trigger: { id: 'order_processing', settings: {} },
      conditions: [{ id: 'payment_method', settings: { methods: ['strpe'] } }],
      primaryAction: null,
      secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'Paid' } }],
    };
    writeFileSync(odd, JSON.stringify({ version: 1, rules: [{ key: 'odd', name: 'Odd', rule }] }));
    expect(orderctl('rules', 'diff', odd)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Warning: Rule "Odd": its condition "Payment method" names payment method strpe'),
    });
  });

  test('a signed test event says what the rules decide; an unknown type is refused', () => {
    const sent = orderctl('trigger', 'payment_intent_succeeded', '--order', '1007');
    expect(sent).toMatchObject({ status: 0, stdout: expect.stringContaining('Not run, this is a test') });
    expect(orderctl('trigger', 'payment_intent_succeded')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('event_type'),
    });
  });

  test('an export goes to a new file, and never over another one', () => {
    const file = join(folder, 'log.ndjson');
    expect(orderctl('log', 'export', '--output', file)).toMatchObject({ status: 0 });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { event_type: string }).event_type)).toContain('rule_modified');
    expect(orderctl('log', 'export', '--output', file)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('exists already'),
    });
  });

  test('a receipt of a webhook is proven offline, and says what was decided; an edit is found', async () => {
    const [file, heads] = [join(folder, 'receipt.ndjson'), join(folder, 'receipt-heads')];
    const { events } = json<{ events: { process_id: string }[] }>('events', 'list', '--state', 'done');
    const process_id = events[0]?.process_id ?? '';
    expect(orderctl('log', 'receipt', 'proc_none')).toMatchObject({ status: 4 });
    await waitFor(() => orderctl('log', 'receipt', process_id).status === 0, { timeout: 60_000, describe: 'a seal' });
    writeFileSync(file, orderctl('log', 'receipt', process_id).stdout);
    writeFileSync(heads, orderctl('log', 'heads').stdout);
    const offline = (...args: readonly string[]) => {
      const env = { PATH: process.env.PATH ?? '' };
      return spawnSync(process.execPath, [program, 'log', 'verify-receipt', ...args], { env, encoding: 'utf8' });
    };
    const proved = offline(file, '--heads', heads);
    expect(proved).toMatchObject({ status: 0, stdout: expect.stringMatching(/webhook: +[0-9a-f]{64}\n/) });
    expect(proved.stdout).toMatch(/rule_evaluation[\s\S]*process_completed/);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"authenticated":true', '"authenticated":false'));
    expect(offline(file)).toMatchObject({ status: 1, stdout: expect.stringMatching(/reason: +Seal \d+ does not fit/) });
  }, 90_000);

  test('a rule in shadow: what it would have done, and where another rule decides otherwise', async () => {
    const rule = {
      trigger: { id: 'order_processing', settings: {} },
      conditions: [],
      primaryAction: { id: 'change_status_to_completed', settings: {} },
      secondaryActions: [],
    };
    const body = { name: 'All of them', shadow: true, rule };
    const { rule_id } = await running.client<{ rule_id: number }>('POST', '/v1/rules', body);
    const order = { status: 'processing', currency: 'USD', total: '5.00' };
    await running.client('PUT', '/v1/shop/orders/7101', order);
    const report = () => orderctl('rules', 'shadow-report', String(rule_id), '--against', '1').stdout;
    await waitFor(() => /would match: +1/.test(report()), { timeout: 30_000 });
    expect(report()).toMatch(/actions: +Change status to completed \(1\)\norders: +1 of 5\.00 USD\n/);
    // docs/guide/shadow.md: "how many of them were refunded or disputed later".
    expect(report()).toMatch(/refunded later: +0\ndisputed later: +0\nunlike rule 1: +1\n/);
    expect(report()).toMatch(/^TIME +ORDER +PROCESS +MATCHED BY\n\S+ +7101 +proc_/m);
  });

  test('rules that depend on the order of arrival are named', () => {
    const file = join(folder, 'cancel.json');
    expect(orderctl('rules', 'arrival-order')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^0 findings among \d+ rules?\.\n$/),
    });
    const choice = (id: string) => ({ id, settings: {} });
    const cancel = choice('change_status_to_cancelled');
    const rule = { trigger: choice('payment_failed'), conditions: [], primaryAction: cancel, secondaryActions: [] };
    writeFileSync(file, JSON.stringify(rule));
    expect(orderctl('rules', 'arrival-order', file)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('First payment failed, then paid: the order ends cancelled'),
    });
  });

  test('an export with proof is checked offline, against heads that were kept; an edit is found', () => {
    const [file, heads] = [join(folder, 'proved.ndjson'), join(folder, 'heads')];
    expect(orderctl('log', 'export', '--proof', '--output', file)).toMatchObject({ status: 0 });
    writeFileSync(heads, orderctl('log', 'heads').stdout);
    const offline = (...args: readonly string[]) => {
      const env = { PATH: process.env.PATH ?? '' };
      return spawnSync(process.execPath, [program, 'log', 'verify-export', ...args], { env, encoding: 'utf8' });
    };
    expect(offline(file, '--heads', heads)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/heads: +\d+ fit/),
    });
    expect(offline(file, '--heads', file)).toMatchObject({ status: 2, stderr: expect.stringContaining('no key') });
    writeFileSync(file, readFileSync(file, 'utf8').replace('demonstration', 'somebody else'));
    expect(offline(file)).toMatchObject({ status: 1, stdout: expect.stringMatching(/reason: +Seal \d+ does not fit/) });
    expect(orderctl('log', 'export', '--proof', '--status', 'error')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be joined with `proof`'),
    });
  }, 90_000);

  test('a connection: its secret is shown once, and a signed test event passes', () => {
    const { secret } = json<{ secret: string }>('connections', 'create', 'warehouse', '--yes');
    expect(secret.length).toBeGreaterThan(20);
    expect(orderctl('connections', 'list').stdout).toContain(secret.slice(-4));
    const none = orderctl('connections', 'create', 'open', '--auth', 'none', '--yes').stdout;
    const own = orderctl('connections', 'create', 'own', '--secret', 'a sender made it', '--yes').stdout;
    expect([none, own].map((said) => said.split('secret:')[1]?.trim())).toEqual(['-', "the sender's own"]);
    const body = join(folder, 'body.json');
    const named = { type: 'payment_completed', transaction_id: 'wh_1', amount: '12800', currency: 'JPY' };
    writeFileSync(body, JSON.stringify({ ...named, order_id: 1005 }));
    expect(orderctl('connections', 'read', 'warehouse', body)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /event: +payment_completed\namount: +12800 JPY\ntransaction: +wh_1\norder: +1005 \(/,
      ),
    });
    writeFileSync(body, '{');
    expect(orderctl('connections', 'read', 'warehouse', body)).toMatchObject({ status: 1 });
    expect(orderctl('connections', 'test', 'warehouse', '--order', '1005')).toMatchObject({ status: 0 });
    expect(json<{ secret: string }>('connections', 'rotate', 'warehouse', '--yes').secret).not.toBe(secret);
    const { stdout } = orderctl('connections', 'secrets', 'list', 'warehouse');
    expect(stdout).toMatch(/api +\S+ \S+ +no end +never/);
  });

  test('the secrets of a gateway: listed, added, removed; one of the environment stays', () => {
    const list = () => orderctl('gateways', 'secrets', 'list', 'gateway_card').stdout;
    const environment = /(env_\w+) +…\S{4} +environment/.exec(list())?.[1] ?? '';
    expect(environment).not.toBe('');
    const added = orderctl('gateways', 'secrets', 'add', 'gateway_card', '--overlap', '24', '--yes');
    expect(added.stdout).toMatch(/new secret: +whsec_\S{43}\nstill valid: +…\S{4} \(environment\), without an end/);
    const own = /(sec_\w+) +…\S{4} +api/.exec(list())?.[1] ?? '';
    expect(orderctl('gateways', 'secrets', 'remove', 'gateway_card', own, '--yes')).toMatchObject({ status: 0 });
    expect(list()).not.toContain(own);
    expect(orderctl('gateways', 'secrets', 'remove', 'gateway_card', environment, '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is set by an environment variable'),
    });
  });
});
