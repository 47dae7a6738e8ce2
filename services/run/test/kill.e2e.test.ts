import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lanes } from '@order-automation/testing';
import { type KillRun, killDistributed, killEmbedded } from './kill-runs';

const { mongodb } = lanes();
const natsServer = process.env.NATS_SERVER_BIN;
const missing = [...('missing' in mongodb ? [mongodb.missing] : []), ...(natsServer ? [] : ['no NATS_SERVER_BIN'])];
const testDistributed = missing.length > 0 ? test.skip : test;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'order-automation-kill-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The full size is `node bench/kill.mjs`. */
function small(webhooks: number): KillRun {
  const log = openSync(join(folder, 'log'), 'a');
  return { webhooks, orders: 40, connections: 16, drainTimeout: 120_000, firstOrder: 700_000, folder, log };
}

const kept = { acknowledged: 300, lost: [], doubled: [], unlogged: [], open: 0 };

test('the embedded process ended three times under load: every acknowledged webhook has one effect', async () => {
  expect(await killEmbedded(small(300), 3)).toMatchObject({ ...kept, strikes: 3 });
}, 240_000);

testDistributed(
  `each worker, intake, edge and the bus ended under load: every acknowledged webhook has one effect${missing.map((reason) => ` (${reason})`).join('')}`,
  async () => {
    const servers = { natsServer: natsServer ?? '', mongodbUri: 'uri' in mongodb ? mongodb.uri : '' };
    expect(await killDistributed(small(300), servers)).toMatchObject({ ...kept, strikes: 6 });
  },
  400_000,
);
