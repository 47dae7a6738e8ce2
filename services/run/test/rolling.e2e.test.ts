import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dropDatabases, freshNamespace, lanes } from '@order-automation/testing';
import { type Cluster, startCluster } from './cluster';
import { distributedEvidence, type OpenEvidence } from './evidence';
import { createNoteRule, type LedgerLine, untilDone } from './kill-harness';
import { type NatsServer, startNatsServer } from './nats-server';
import { apiClient, type Client, importOrders, newSecrets, payableOrders } from './product-client';
import { type Answer, payment, postSigned } from './products';

/**
 * `ROLLING_RATE=100 ROLLING_ROUNDS=5` for the whole proof, on a quiet machine with a database that keeps up: webhooks a second, and how often everything is
 * restarted. None may be refused for whatever reason then.
 */
const isProof = process.env.ROLLING_RATE !== undefined;
const rate = Number(process.env.ROLLING_RATE ?? 4);
const rounds = Number(process.env.ROLLING_ROUNDS ?? 1);
const firstOrder = 7001;
const orders = isProof ? 500 : 100;
const marker = `paid ${firstOrder} `;
const services = ['worker', 'gateway-intake', 'gateway-intake', 'api-gateway', 'api-gateway'];

const { mongodb } = lanes();
const binary = process.env.NATS_SERVER_BIN;
const missing = ['uri' in mongodb ? [] : mongodb.missing, binary ? [] : 'NATS_SERVER_BIN'].flat();
const whenServers = missing.length === 0 ? describe : describe.skip;

whenServers(`a rolling restart${missing.length === 0 ? '' : ` (${missing.join(', ')})`}`, () => {
  const secrets = newSecrets();
  const uri = 'uri' in mongodb ? mongodb.uri : '';
  const namespace = freshNamespace('rolling');
  let dir: string;
  let nats: NatsServer;
  let cluster: Cluster;
  let evidence: OpenEvidence;
  let client: Client;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'order-automation-rolling-'));
    nats = await startNatsServer(binary ?? '', join(dir, 'nats'));
    const servers = { NATS_URL: nats.url, MONGODB_URI: uri, NAMESPACE: namespace };
    const quiet = { LICENCE_KEY: 'demo', DEMO_SHOP: 'false', LOG_LEVEL: 'warn', PORT: '0', OPS_PORT: '0' };
    const log = openSync(process.env.ROLLING_LOG ?? join(dir, 'log'), 'a');
    cluster = await startCluster(services, { env: { ...secrets.env, ...servers, ...quiet }, log });
    evidence = await distributedEvidence(uri, namespace);
    client = apiClient(cluster.edges()[0] ?? 0, secrets);
    await importOrders(client, payableOrders(firstOrder, orders));
    await createNoteRule(client, marker);
  }, 300_000);
  afterAll(async () => {
    await evidence?.close();
    await cluster?.stop();
    await nats?.kill();
    await dropDatabases(uri, namespace);
    rmSync(dir, { recursive: true, force: true });
  }, 120_000);

  const restartEverything = async (): Promise<void> => {
    for (const name of ['api-gateway', 'gateway-intake'])
      for (const instance of cluster.instances(name)) await cluster.replace(instance, 'stop');
    await nats.kill();
    await delay(1_000);
    await nats.start();
    await delay(1_000);
  };

  /** A database that is too busy to answer in time is no fault of the restart: sent again then, but in the proof. */
  const sent = async (url: string, key: string, order: number): Promise<Answer> => {
    const deadline = Date.now() + 120_000;
    for (;;) {
      const answer = await postSigned({ url, secrets }, payment(key, order));
      if (answer.success || isProof || Date.now() > deadline) return answer;
      await delay(1_000);
    }
  };

  test('of edges, intakes and NATS: no webhook is refused, and each takes effect once', async () => {
    const ledger: LedgerLine[] = [];
    const answers: Promise<Answer>[] = [];
    let restarting = true;
    const restarted = delay(1_000)
      .then(async () => {
        for (let round = 0; round < rounds; round += 1) await restartEverything();
      })
      .finally(() => {
        restarting = false;
      });
    for (const began = performance.now(); restarting; ) {
      const count = answers.length;
      const ports = cluster.edges();
      const url = `http://127.0.0.1:${ports[count % ports.length]}`;
      const key = `rolling${count}`;
      const order = firstOrder + (count % orders);
      ledger.push({ transaction: `pi_${key}`, order });
      answers.push(sent(url, key, order));
      await delay(Math.max(0, began + (1_000 * (count + 1)) / rate - performance.now()));
    }
    await restarted;
    const answered = await Promise.all(answers);
    expect(answered.filter(({ success }) => !success)).toEqual([]);
    const now = apiClient(cluster.edges()[0] ?? 0, secrets);
    if (isProof) expect((await now<{ missed: unknown[] }>('GET', '/v1/webhooks/missed')).missed).toEqual([]);
    const test = { evidence, firstOrder, orders, drainTimeout: 120_000 };
    const verdict = await untilDone(test, ledger, marker, performance.now());
    expect(verdict).toEqual({ lost: [], doubled: [], unlogged: [], open: 0 });
    if (isProof) console.info(`${answered.length} webhooks, 0 refused`);
  }, 1_200_000);
});
