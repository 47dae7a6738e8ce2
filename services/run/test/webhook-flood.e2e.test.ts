import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { type Answer, describeProducts, payment, post, postSigned, type Running } from './products';

/** MiB of bodies that nothing proves; `FLOOD_MIB=1024` by hand. */
const flood = Number(process.env.FLOOD_MIB ?? 64);
/** Requests made of anything; `FLOOD_REQUESTS=10000` by hand. */
const requests = Number(process.env.FLOOD_REQUESTS ?? 150);
const stalled = 100;
const senders = 8;
const MiB = 1024 ** 2;
const quota = 8;

/** MiB of memory of the processes, now or at their highest. */
function memoryOf({ product }: Running, field: 'VmRSS' | 'VmHWM'): number {
  const pids = new Set([...product.started.values()].map(({ pid }) => pid));
  const kilobytes = [...pids].map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]);
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

function diskOf(directory: string): number {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files.reduce((sum, file) => sum + statSync(join(directory, file)).size, 0) / MiB;
}

/** A sender that begins a webhook and goes silent. */
async function stall({ product }: Running): Promise<Socket> {
  const socket = connect(product.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = 'POST /v1/webhooks/gateway_card HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  await new Promise<void>((resolve) => socket.write(`${head}Content-Length: 100000\r\n\r\n{"id":`, () => resolve()));
  return socket;
}

describeProducts('webhooks that prove nothing', (start, mode) => {
  let running: Running;

  beforeAll(async () => {
    running = await start({ INTAKE_UNAUTHENTICATED_BYTES: `${quota}MiB`, LOG_LEVEL: 'warn' });
  }, 60_000);
  afterAll(() => running?.stop());

  test(`${stalled} stalled senders and ${flood} MiB of unproven bodies: memory and disk stay bounded, genuine webhooks are accepted`, async () => {
    const before = memoryOf(running, 'VmRSS');
    const sockets = await Promise.all(Array.from({ length: stalled }, () => stall(running)));
    let sent = 0;
    const filler = 'x'.repeat(MiB - 100);
    const refused: string[] = [];
    const attack = async (): Promise<void> => {
      while (sent < flood) {
        sent += 1;
        const { status, answer } = await post(running.url, {
          gateway: 'generic',
          body: JSON.stringify({ id: `flood-${sent}`, filler }),
        });
        if (status !== 200) refused.push(String(status));
        if (!answer.success) refused.push('refused');
      }
    };
    const attacks = Promise.all(Array.from({ length: senders }, attack));
    const answers: Answer[] = [];
    let isOver = false;
    const ended = attacks.finally(() => {
      isOver = true;
    });
    while (!isOver || answers.length < 20) {
      answers.push(await postSigned(running, payment(`genuine-${answers.length}`, 1001)));
      await delay(20);
    }
    await ended;
    for (const socket of sockets) socket.destroy();
    expect(answers.filter(({ success }) => !success)).toEqual([]);
    expect(refused.filter((reason) => reason !== 'refused')).toEqual([]);
    // Several processes of intake know of each other's bytes within a second.
    expect(refused.length).toBeGreaterThanOrEqual(flood - quota - (mode === 'embedded' ? 0 : senders));
    expect(memoryOf(running, 'VmHWM') - before).toBeLessThan(mode === 'embedded' ? 400 : 800);
    // The write-ahead log is emptied in portions of 64 MiB, for each database.
    if (mode === 'embedded') expect(diskOf(running.env.DATA_DIR ?? '')).toBeLessThan(quota + 160);
  }, 1_800_000);

  test(`${requests} requests of any gateway, headers and bytes: 200 with the documented body, and the event loop keeps turning`, async () => {
    const lag = async (): Promise<number> => {
      const ops = [...running.product.started.values()].map((started) => started.ops);
      const texts = await Promise.all(
        [...new Set(ops)].map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
      );
      const values = texts.map((text) =>
        Number(/^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1]),
      );
      // It counts the time between two looks as well.
      return Math.max(...values) - 0.04;
    };
    await lag();
    const gateways = fc.constantFrom(
      'generic',
      'gateway_card',
      'gateway_wallet',
      'gateway_shop',
      'nobody',
      'generic/x',
    );
    const names = fc.constantFrom(
      'content-type',
      'card-signature',
      'wallet-transmission-id',
      'paypal-cert-url',
      'x-signature',
    );
    const header = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 200 }).map((text) => text.trim()),
      fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 't=1,v1=00', 'text/plain'),
    );
    const bodies = fc.oneof(
      fc.json({ maxDepth: 8 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
      fc.integer({ min: 1, max: 5_000 }).map((depth) => Buffer.from('['.repeat(depth))),
      fc.constant(Buffer.alloc(MiB, 0x5b)),
    );
    await fc.assert(
      fc.asyncProperty(
        gateways,
        fc.dictionary(names, header, { maxKeys: 3 }),
        bodies,
        async (gateway, headers, body) => {
          const { status, answer } = await post(running.url, { gateway, headers, body });
          expect(status).toBe(200);
          expect(answer).toMatchObject({ success: expect.any(Boolean), message: expect.any(String) });
          expect(answer.process_id).toMatch(/^proc_[0-9A-Z]{26}$/);
        },
      ),
      { numRuns: requests },
    );
    // Beside other tests the process waits for a core, too; a request that blocks the loop does so for longer.
    expect(await lag()).toBeLessThanOrEqual(1);
    expect(await postSigned(running, payment('after', 1001))).toMatchObject({ success: true });
  }, 600_000);
});
