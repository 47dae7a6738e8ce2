import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProcessBus } from '@order-automation/bus';
import { createLogger, createMetrics, type Service, systemClock } from '@order-automation/service';
import { type Store, sqliteStore } from '@order-automation/store';
import { waitFor } from '@order-automation/testing';
import Database from 'better-sqlite3';
import {
  cardWebhook,
  genericWebhook,
  type Peers,
  receive,
  receiveOne,
  start,
  startPeers,
  storedEvents,
} from './intake';

/** Faults of the disk, which only the embedded store can be given from outside. */
describe('nothing is promised that is not stored', () => {
  let directory: string;
  let file: string;
  let store: Store;
  let bus: ReturnType<typeof inProcessBus>;
  let peers: Peers;
  let service: Service | undefined;

  const begin = async (options: { maxPages?: number } = {}): Promise<void> => {
    store = await sqliteStore({ file, thread: 'worker', busyTimeout: 100, ...options });
    const log = createLogger({ name: 'gateway-intake', level: 'silent' });
    service = await start({ bus, store, log, metrics: createMetrics('gateway-intake'), clock: systemClock });
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'intake-'));
    file = join(directory, 'intake.sqlite');
    bus = inProcessBus();
    peers = await startPeers(bus);
    await peers.listen();
  });
  afterEach(async () => {
    await service?.close();
    await bus.close();
    await store.close();
    await rm(directory, { recursive: true });
  });

  test('while another process keeps the database locked, every answer is a failure; afterwards all is as ever', async () => {
    await begin();
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const webhook = cardWebhook('evt_1', Date.now());
    const refused = await receive(bus, [webhook, cardWebhook('evt_2', Date.now()), genericWebhook('{')]);
    expect(refused.map(({ success, message }) => [success, message])).toEqual(
      refused.map(() => [false, 'The webhook could not be stored. Please send it again.']),
    );
    expect(peers.events).toEqual([]);
    other.exec('ROLLBACK');
    other.close();
    await waitFor(async () => (await receiveOne(bus, genericWebhook({ id: 'probe' }))).success);
    expect(await receiveOne(bus, webhook)).toMatchObject({ success: true, duplicate: false, events_processed: 1 });
    await waitFor(() => peers.events.some(({ data }) => data.event.idempotencyKey === 'gateway_card:evt_1'));
  });

  test.each([1, 20])('when the disk is full, exactly what was promised is there, in groups of %d', async (size) => {
    await begin({ maxPages: 400 });
    const promised: string[] = [];
    const failed: string[] = [];
    for (let number = 0; number < 40; number += 1) {
      const pad = randomBytes(100_000 / size).toString('hex');
      const group = Array.from({ length: size }, (_, index) => genericWebhook({ id: `full-${number}-${index}`, pad }));
      for (const { success, process_id } of await receive(bus, group)) (success ? promised : failed).push(process_id);
    }
    expect(promised.length).toBeGreaterThan(0);
    expect(failed.length).toBeGreaterThan(0);
    const inbox = (await storedEvents({ store })).filter(({ state }) => state === 'accepted');
    expect(inbox.map(({ process_id }) => process_id).sort()).toEqual([...promised].sort());
    for (const { body = '' } of inbox) expect(() => JSON.parse(body)).not.toThrow();
  });
});
