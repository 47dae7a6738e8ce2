import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addFunctions, plainText, type StoredText } from '@order-automation/store';
import { waitFor } from '@order-automation/testing';
import Database from 'better-sqlite3';
import { verifyLogOf } from '../src/backup/verify';
import { embeddedEvidence, type OpenEvidence } from './evidence';
import { judge } from './kill-harness';
import * as shop from './migrate-world';
import { type Product, startEmbedded } from './product';
import { apiClient, newSecrets } from './product-client';

/**
 * UPGRADE_FROM: the program `main.js` of an earlier build, which fills the folder. Without it only this build does, and what is tried is that it goes on
 * after a crash with events in every state.
 */
const from = process.env.UPGRADE_FROM;
const thisVersion: readonly [left: string, program: string | undefined] = ['this version after a crash', undefined];
const versions = from ? [['an earlier version', from] as const, thisVersion] : [thisVersion];
/** UPGRADE_EVENTS=2000 for the whole proof. */
const count = Number(process.env.UPGRADE_EVENTS ?? 40);
const timeouts = { timeout: 60_000 + 60 * count, every: 500 };

describe.each(versions)('data of %s (embedded)', (_left, earlier) => {
  const secrets = newSecrets();
  let folder: string;
  let dataDir: string;
  let receiver: shop.Receiver;
  let product: Product | undefined;
  let evidence: OpenEvidence | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'order-automation-upgrade-'));
    dataDir = join(folder, 'data');
    receiver = await shop.startReceiver();
  });
  afterAll(async () => {
    await evidence?.close();
    await product?.kill();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const env = () => ({
    ...secrets.env,
    DATA_DIR: dataDir,
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'error',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    DEMO_SHOP: 'false',
    LICENCE_KEY: 'demo',
  });

  /** What kept events from taking effect is over: orders can be read, and both receivers answer. */
  function repair(): void {
    const database = new Database(join(dataDir, 'shop.sqlite'));
    addFunctions(database);
    const lines = JSON.stringify([{ id: 1, name: 'A thing', product_id: 1, quantity: 1, total: '49.00' }]);
    database
      .prepare(
        "UPDATE orders SET doc = json_set(plain(doc), '$.order.line_items', json(?)) WHERE json_extract(plain(doc), '$.order.line_items') = ?",
      )
      .run(lines, shop.damaged);
    database.close();
    receiver.recover();
  }

  test(
    `${count} events in every state: each takes effect once, those that had are duplicates, the log has every entry and verifies`,
    async () => {
      const start = () => startEmbedded({ env: env(), log: 'ignore', ...(earlier ? { program: earlier } : {}) });
      const { sent, secret } = await shop.fillAndKill({ dataDir, start, secrets, receiver, count });
      expect(sent).toHaveLength(count);
      const entriesBefore = entriesIn(dataDir);
      repair();

      product = await startEmbedded({ env: env(), log: 'ignore' });
      const client = apiClient(product.port, secrets);
      await shop.importAll(client, shop.missingOrders(count));
      await client('PUT', `/v1/webhooks/${shop.connection}`, { paused: false });
      await client('POST', '/v1/webhooks/events/replay', { filter: { state: 'dead' }, preview: false });
      await client('POST', '/v1/deliveries/resend', { filter: { state: 'failed' }, preview: false });

      const found = await embeddedEvidence(dataDir);
      evidence = found;
      const orders = sent.map(({ order }) => order);
      const verdict = async () => judge(sent, await found.notes(orders), shop.marker);
      await waitFor(async () => (await found.open()) === 0 && (await verdict()).lost.length === 0, timeouts);
      await waitFor(() => new Set(receiver.taken.map(({ order }) => order)).size === count, timeouts);
      expect(await verdict()).toEqual({ lost: [], doubled: [] });
      expect(shop.calledWrongly(receiver, orders)).toEqual([]);
      const logged = await found.logged();
      // A replay is a process of its own.
      expect(
        sent.filter(({ order, transaction }) => shop.kindOf(order) !== 'dead' && !logged.has(transaction)),
      ).toEqual([]);

      const to = { url: `http://127.0.0.1:${product.port}`, secrets, secret };
      for (const { order, process_id } of sent.slice(0, 200))
        expect(await shop.send(to, order)).toMatchObject({ success: true, duplicate: true, process_id });
      expect(await client('GET', '/v1/audit-log/verify')).toMatchObject({ valid: true });
      await product.stop();
      product = undefined;
      await found.close();
      evidence = undefined;
      expect(await verifyLogOf(dataDir, env())).toMatchObject({ valid: true });
      const entriesAfter = entriesIn(dataDir);
      expect([...entriesBefore].filter(([id, process]) => entriesAfter.get(id) !== process)).toEqual([]);
    },
    300_000 + 300 * count,
  );
});

/** The id of every entry of the log with its process. */
function entriesIn(dataDir: string): Map<number, string> {
  const database = new Database(join(dataDir, 'audit.sqlite'), { readonly: true });
  const found = new Map<number, string>();
  for (const stored of database.prepare('SELECT doc FROM records').pluck().all() as StoredText[]) {
    const text = plainText(stored);
    const { _id, process_id, entries } = JSON.parse(text) as { _id: number; process_id: string; entries: unknown[] };
    for (let index = 0; index < entries.length; index += 1) found.set(_id + index, process_id);
  }
  database.close();
  return found;
}
