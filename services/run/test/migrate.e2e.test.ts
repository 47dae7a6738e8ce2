import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { mongoStore } from '@order-automation/store';
import { dropNamespace, dropStreams, freshNamespace, lanes, waitFor } from '@order-automation/testing';
import Database from 'better-sqlite3';
import { MongoClient } from 'mongodb';
import { connect } from 'nats';
import { verifyLog } from '../src/backup/verify';
import { distributedEvidence } from './evidence';
import { judge } from './kill-harness';
import { inDatabases, inFolder } from './migrate-documents';
import * as shop from './migrate-world';
import { type Product, startDistributed, startEmbedded } from './product';
import { apiClient, newSecrets } from './product-client';

const run = promisify(execFile);
const program = join(__dirname, '../dist/migrate/main.js');
/** MIGRATE_EVENTS=10000 for the whole proof. */
const count = Number(process.env.MIGRATE_EVENTS ?? 200);
const patiently = { timeout: 60_000 + 60 * count, every: 500 };
const { nats, mongodb } = lanes();
const missing = [nats, mongodb].flatMap((server) => ('missing' in server ? [server.missing] : []));

const title = `npm run migrate -- --to-distributed${missing.map((one) => ` (distributed: ${one})`).join('')}`;

(missing.length > 0 ? describe.skip : describe)(title, () => {
  const namespace = freshNamespace('e2e');
  const secrets = newSecrets();
  const uri = 'uri' in mongodb ? mongodb.uri : '';
  let folder: string;
  let dataDir: string;
  let receiver: shop.Receiver;
  let client: MongoClient;
  let product: Product | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'order-automation-migrate-'));
    dataDir = join(folder, 'data');
    receiver = await shop.startReceiver();
    client = await MongoClient.connect(uri);
  });
  afterAll(async () => {
    await product?.stop();
    await receiver.close();
    await client.close();
    await dropNamespace(namespace);
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const common = { ...secrets.env, PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'error', OUTBOUND_ALLOW: '127.0.0.0/8' };
  const embedded = () => ({ ...common, DATA_DIR: dataDir, DEMO_SHOP: 'false', LICENCE_KEY: 'demo' });
  const distributed = {
    ...common,
    NATS_URL: 'uri' in nats ? nats.uri : '',
    MONGODB_URI: uri,
    NAMESPACE: namespace,
    LICENCE_KEY: 'demo',
  };
  const moving = (more: Record<string, string> = {}) => ({
    env: { PATH: process.env.PATH, ...distributed, DATA_DIR: dataDir, ...more },
  });
  const move = (...words: string[]) => run(process.execPath, [program, '--to-distributed', ...words], moving());
  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'nothing was refused',
      ({ stderr, message }: { stderr?: string; message: string }) => stderr ?? message,
    );
  const documents = (service: string, name: string) => client.db(`${namespace}_${service}`).collection(name);

  /** Starts a migration, ends it with SIGKILL when the condition holds, and resolves with whether it was ended amid its work. */
  const killedWhen = async (isTime: () => Promise<unknown>): Promise<boolean> => {
    const child = spawn(process.execPath, [program, '--to-distributed'], { ...moving(), stdio: 'ignore' });
    const gone = once(child, 'exit');
    await Promise.race([gone, isTime()]);
    child.kill('SIGKILL');
    const [, signal] = await gone;
    return signal === 'SIGKILL';
  };

  test(
    `${count} events in every state: killed again and again, nothing is lost, nothing done twice, ids are kept, the log verifies`,
    async () => {
      const start = () => startEmbedded({ env: embedded(), log: 'ignore' });
      const { sent, secret } = await shop.fillAndKill({ dataDir, start, secrets, receiver, count });
      expect(sent).toHaveLength(count);
      const { inbox, deliveries } = shop.statesOf(dataDir);
      expect(inbox).toMatchObject({ dead: expect.any(Number), held: expect.any(Number), waiting: expect.any(Number) });
      expect(inbox.accepted).toBeGreaterThan(0);
      expect(Object.keys(deliveries).sort()).toEqual(['delivered', 'failed', 'pending']);
      const before = inFolder(dataDir);
      const checked = JSON.parse((await move('--check', '--json')).stdout) as { documents: number; moved: number };
      expect(checked).toMatchObject({ documents: before.size, moved: 0 });

      const kept = documents('gateway_intake', 'inbox');
      const isKilled = await killedWhen(() =>
        waitFor(async () => (await kept.countDocuments()) > 0, { ...patiently, every: 5 }),
      );
      expect(isKilled).toBe(true);
      // Neither side starts before the end.
      expect(await startEmbedded({ env: embedded(), log: 'ignore' }).catch(String)).toContain(
        'ended before it was up: 2',
      );
      const service = join(__dirname, '../../rules/dist/main.js');
      const started = run(process.execPath, [service], { env: { PATH: process.env.PATH, ...distributed } });
      expect(await refusal(started)).toContain('holds an incomplete copy of data of the embedded mode');
      for (let after = 500; after < 10_000 && (await killedWhen(() => delay(after))); after *= 1.8);
      const { stdout } = await move();
      expect(stdout).toContain(
        `Moved and compared ${before.size} documents: counts and contents were equal on both sides`,
      );
      expect((await move()).stdout).toContain('All of it was moved before.');

      const moved = await inDatabases(client, namespace);
      const lost = [...before].filter(([place, text]) => !place.startsWith('audit.') && moved.get(place) !== text);
      expect(lost).toEqual([]);
      // The log may have sealed and counted more since, and instances that ended are forgotten.
      const lasting = [...before.keys()].filter((place) => !place.includes('.secret_key_instances '));
      const gone = lasting.filter((place) => !moved.has(place));
      expect(gone).toEqual([]);
      const records = [...before].filter(([place]) => place.startsWith('audit.records '));
      expect(records.filter(([place, text]) => moved.get(place) !== text)).toEqual([]);
      expect(await startEmbedded({ env: embedded(), log: 'ignore' }).catch(String)).toContain(
        'ended before it was up: 2',
      );

      // What was in the way is over: the orders can be read, and both receivers answer.
      const whole = await documents('shop', 'orders').findOne({ 'order.line_items': { $ne: shop.damaged } });
      const lines = { 'order.line_items': whole?.order.line_items };
      await documents('shop', 'orders').updateMany({ 'order.line_items': shop.damaged }, { $set: lines });
      receiver.recover();
      product = await startDistributed({ env: distributed, log: 'ignore' });
      const api = apiClient(product.port, secrets);
      await waitFor(() => api('GET', '/v1/rules').catch(() => undefined), patiently);
      await shop.importAll(api, shop.missingOrders(count));
      await api('PUT', `/v1/webhooks/${shop.connection}`, { paused: false });
      // A second time finds nothing left to do.
      const asked = (path: string, state: string) =>
        waitFor(() => api('POST', path, { filter: { state }, preview: false }).catch(() => undefined), patiently);
      await asked('/v1/webhooks/events/replay', 'dead');
      await asked('/v1/deliveries/resend', 'failed');

      const evidence = await distributedEvidence(uri, namespace);
      const orders = sent.map(({ order }) => order);
      const verdict = async () => judge(sent, await evidence.notes(orders), shop.marker);
      await waitFor(async () => (await evidence.open()) === 0 && (await verdict()).lost.length === 0, patiently);
      await waitFor(
        async () => (await documents('evaluation', 'deliveries').countDocuments({ state: 'delivered' })) === count,
        patiently,
      );
      expect(await verdict()).toEqual({ lost: [], doubled: [] });
      const logged = await evidence.logged();
      const unlogged = sent.filter(
        ({ order, transaction }) => shop.kindOf(order) !== 'dead' && !logged.has(transaction),
      );
      expect(unlogged).toEqual([]);
      expect(shop.calledWrongly(receiver, orders)).toEqual([]);
      const byTheClock = async () =>
        (await evidence.notes(shop.scheduledOrders)).filter(({ text }) => text === 'by the clock');
      await waitFor(async () => (await byTheClock()).length >= shop.scheduledOrders.length, {
        ...patiently,
        timeout: 240_000,
      });
      expect((await byTheClock()).map(({ order }) => order).sort()).toEqual(shop.scheduledOrders);
      await evidence.close();

      // Senders that repeat themselves are known, by the card gateway and by the connection with its secret.
      const to = { url: `http://127.0.0.1:${product.port}`, secrets, secret };
      for (const { order, process_id } of sent.slice(0, 200))
        expect(await shop.send(to, order)).toMatchObject({ success: true, duplicate: true, process_id });
      await product.stop();
      product = undefined;
      const log = await mongoStore({ uri, database: `${namespace}_audit`, timeoutMS: 120_000 });
      expect(await verifyLog(log, distributed)).toMatchObject({ valid: true, reason: null });
    },
    300_000 + 300 * count,
  );

  /** A stream of that namespace, as services leave it. */
  async function leaveMessage(of: string): Promise<void> {
    const connection = await connect({ servers: distributed.NATS_URL });
    const manager = await connection.jetstreamManager();
    await manager.streams.add({ name: `${of}-left`, subjects: [`${of}.left`] });
    await connection.jetstream().publish(`${of}.left`);
    await connection.close();
  }

  test('refuses what it must not touch, and says what to do', async () => {
    const other = moving({ NAMESPACE: `${namespace}_b` });
    const words = [program, '--to-distributed'];
    const key = newSecrets().env.SECRET_KEY ?? '';
    expect(await refusal(run(process.execPath, words, other))).toContain(
      'Give the same MONGODB_URI and NAMESPACE again',
    );
    expect(await refusal(run(process.execPath, words, moving({ SECRET_KEY: key })))).toContain('does not fit the data');
    const empty = join(folder, 'empty');
    expect(await refusal(run(process.execPath, words, moving({ DATA_DIR: empty })))).toContain('holds no installation');
    expect(existsSync(empty)).toBe(false);

    // Another shop, into the databases of the first one; and into its own, with something in a collection that nobody knows.
    dataDir = join(folder, 'other');
    const running = await startEmbedded({ env: embedded(), log: 'ignore' });
    expect(await refusal(move())).toContain('is used by another process');
    await running.stop();
    expect(await refusal(move())).toContain('MongoDB holds data that are not of this migration');
    const left = `${namespace}_c`;
    await leaveMessage(left);
    const intoStream = run(process.execPath, words, moving({ NAMESPACE: left }));
    expect(await refusal(intoStream)).toContain(`NATS holds messages of another installation in ${left}-left`);
    await dropStreams(distributed.NATS_URL, left);
    const file = new Database(join(dataDir, 'rules.sqlite'));
    file.exec('CREATE TABLE tomorrow (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc TEXT NOT NULL)');
    file.exec(`INSERT INTO tomorrow (id, doc) VALUES ('a', '{"_id":"a"}')`);
    expect(await refusal(move())).toContain('does not know: tomorrow. Nothing was written.');
    file.exec("DROP TABLE tomorrow; UPDATE store_version SET doc = json_set(doc, '$.version', 1000)");
    file.close();
    expect(await refusal(move())).toContain('holds data of a newer version of this product');
  }, 120_000);
});
