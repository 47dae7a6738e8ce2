import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { dropNamespace, lanes, waitFor } from '@order-automation/testing';
import { demonstration } from '../src/demonstration';
import { cardPayment, cardSignature } from './card-webhook';
import { freePort, type Started } from './product';
import { apiClient, importOrders, newSecrets, payableOrders } from './product-client';

/**
 * RENEWAL_RATE=100 for the whole proof, on a quiet machine: webhooks a second, none of which may be refused for whatever reason; with NATS and MongoDB
 * the distributed mode too.
 */
const isProof = process.env.RENEWAL_RATE !== undefined;
const rate = Number(process.env.RENEWAL_RATE ?? 4);
const firstOrder = 7001;
const maxOrders = Math.max(400, 60 * rate);
const dist = join(__dirname, '../dist');

/** Holds a listening socket as systemd does, and starts the program with it, again and again while it ends by itself. */
const holder = `
import os, signal, socket, subprocess, sys
held = socket.socket()
held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
held.bind(('127.0.0.1', int(sys.argv[1])))
held.listen(1024)
def give():
    os.dup2(held.fileno(), 3)
    os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
ending = []
def end(*_):
    ending.append(True)
    child.send_signal(signal.SIGTERM)
signal.signal(signal.SIGTERM, end)
signal.signal(signal.SIGUSR1, lambda *_: child.send_signal(signal.SIGTERM))
while not ending:
    child = subprocess.Popen(['sh', '-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', 'sh'] + sys.argv[2:], pass_fds=[3], preexec_fn=give)
    code = child.wait()
sys.exit(code)
`;

type Held = { readonly child: ChildProcess; readonly started: Started[] };

function start(program: string, port: number, env: Record<string, string>, log: string): Held {
  const child = spawn('python3', ['-c', holder, String(port), process.execPath, join(dist, program)], {
    env: { ...process.env, NATS_URL: '', MONGODB_URI: '', ...env },
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
  });
  const started: Started[] = [];
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const report = JSON.parse(line) as Partial<Started>;
      if (report.service !== undefined && report.ops !== undefined) started.push(report as Started);
    });
  return { child, started };
}

/** One webhook on a connection of its own. Resolves with `success` of the answer; rejects when there is none. */
function send(port: number, secret: string, order: number): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000);
  const { body } = cardPayment({ key: `renewal-${order}`, orderId: order, created: now });
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'card-signature': cardSignature(secret, body, now) };
    const sent = request(
      { port, host: '127.0.0.1', path: '/v1/webhooks/gateway_card', method: 'POST', headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => resolve((JSON.parse(Buffer.concat(chunks).toString()) as { success: boolean }).success));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

type Order = { readonly status: string; readonly notes: readonly unknown[] };

/** Rejects when there was no answer. A database that is too busy to answer in time is no fault of the renewal: sent again then, but in the proof. */
async function isTaken(port: number, secret: string, order: number): Promise<boolean> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    if (await send(port, secret, order)) return true;
    if (isProof || Date.now() > deadline) return false;
    await delay(1_000);
  }
}

/** Sends at the rate while `renew` lasts; then each order was changed once and every webhook was taken. */
async function provesRenewal(port: number, secrets: ReturnType<typeof newSecrets>, renew: () => Promise<void>) {
  const client = apiClient(port, secrets);
  await waitFor(async () => (await client('GET', '/v1/rules')) !== undefined, {
    timeout: 180_000,
    describe: 'the first start',
  });
  await importOrders(client, payableOrders(firstOrder, maxOrders));
  const refused: unknown[] = [];
  const answers: Promise<unknown>[] = [];
  let renewing = true;
  const renewed = renew().finally(() => {
    renewing = false;
  });
  let sent = 0;
  const began = performance.now();
  for (; (renewing || sent < rate) && sent < maxOrders; sent += 1) {
    const order = firstOrder + sent;
    answers.push(
      isTaken(port, secrets.cardSecret, order).then(
        (success) => (success ? undefined : refused.push(order)),
        (error: unknown) => refused.push(error),
      ),
    );
    await delay(Math.max(0, began + (1_000 * (sent + 1)) / rate - performance.now()));
  }
  const seconds = (performance.now() - began) / 1_000;
  const isWholeRenewal = !renewing;
  await renewed;
  await Promise.all(answers);
  expect(refused).toEqual([]);
  if (isProof) expect(isWholeRenewal).toBe(true);
  const orderOf = (id: number) => client<Order>('GET', `/v1/shop/orders/${id}`);
  if (isProof)
    console.info(`${sent} webhooks while it was renewed (${(sent / seconds).toFixed(0)}/s), ${refused.length} refused`);
  const ids = Array.from({ length: sent }, (_, index) => firstOrder + index);
  // The rule of the demonstration completes an order and adds one note: two would be an effect done twice.
  for (const id of ids)
    await waitFor(async () => (await orderOf(id)).notes.length > 0, { timeout: 120_000, describe: `order ${id}` });
  const found: Order[] = [];
  for (const id of ids) found.push(await orderOf(id));
  expect(found.filter(({ status, notes }) => status !== 'completed' || notes.length !== 1)).toEqual([]);
}

const { nats, mongodb } = lanes();
const missing = [nats, mongodb].flatMap((server) => ('missing' in server ? [server.missing] : []));

describe('a new version without an interruption', () => {
  const secrets = newSecrets();
  let dir: string;
  let held: Held | undefined;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'order-automation-renewal-'));
  });
  afterEach(async () => {
    if (held?.child.exitCode === null) {
      held.child.kill('SIGTERM');
      await once(held.child, 'exit');
    }
    rmSync(dir, { recursive: true, force: true });
  });
  const env = { ...secrets.env, OPS_PORT: '0', LOG_LEVEL: 'warn', DEMO_SHOP: 'true', LICENCE_KEY: 'demo' };

  test('one process that is restarted keeps its senders waiting and refuses none, on a socket that systemd holds', async () => {
    const port = await freePort();
    held = start('main.js', port, { ...env, DATA_DIR: join(dir, 'data') }, join(dir, 'log'));
    const { child } = held;
    await provesRenewal(port, secrets, async () => {
      await delay(1_000);
      child.kill('SIGUSR1');
      await delay(2_000);
      // Answered when the next process is up.
      await apiClient(port, secrets)('GET', '/v1/shop/orders/7001');
    });
  }, 400_000);

  if (isProof && missing.length === 0)
    test('edge, intake and worker that are restarted on such a socket: no webhook is refused, lost or acted on twice', async () => {
      const NAMESPACE = `e2e_${randomBytes(5).toString('hex')}`;
      const servers = {
        NATS_URL: 'uri' in nats ? nats.uri : '',
        MONGODB_URI: 'uri' in mongodb ? mongodb.uri : '',
        NAMESPACE,
      };
      const port = await freePort();
      held = start('distributed.js', port, { ...env, ...servers }, join(dir, 'log'));
      const { child, started } = held;
      await waitFor(() => started.length === 3, { timeout: 180_000, describe: 'three processes' });
      await apiClient(port, secrets)('POST', '/v1/rules', {
        name: 'Completes',
        enabled: true,
        rule: demonstration.rule,
      });
      await provesRenewal(port, secrets, async () => {
        child.kill('SIGUSR1');
        await waitFor(() => started.length === 6, { timeout: 300_000, describe: 'three new ones' });
        const old = started.slice(0, 3).map(({ pid }) => pid);
        await waitFor(() => old.every((pid) => !isAlive(pid)), {
          timeout: 60_000,
          describe: 'the end of the old ones',
        });
      });
      child.kill('SIGTERM');
      await once(child, 'exit');
      await dropNamespace(NAMESPACE);
    }, 900_000);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
