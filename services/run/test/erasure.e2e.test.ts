import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainText, type StoredText } from '@order-automation/store';
import { waitFor } from '@order-automation/testing';
import Database from 'better-sqlite3';
import { cardPayment } from './card-webhook';
import { importOrders, payableOrders } from './product-client';
import { describeProducts, postSigned, type Running } from './products';

const orders = 20;
const address = 'ada@customer.example';

/** The databases, but for the shop's, which are the merchant's own records, with their logs of writes. */
function databasesIn(directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const databases = files.filter((file) => /\.(db|sqlite)(-wal)?$/.test(file) && !/shop/.test(file));
  expect(databases.length).toBeGreaterThan(4);
  return databases.map((file) => join(directory, file));
}

/** What stands in the files for documents that hold the text: the text itself, or bytes from the middle of each that is compressed. */
function tracesOf(text: string, directory: string): Buffer[] {
  const stored = databasesIn(directory)
    .filter((file) => !file.endsWith('-wal'))
    .flatMap(storedTexts)
    .filter((one) => plainText(one).includes(text));
  return stored.map((one) => {
    if (typeof one === 'string') return Buffer.from(text);
    const middle = Math.floor(one.length / 2);
    return Buffer.from(one.subarray(middle, middle + 32));
  });
}

function storedTexts(file: string): StoredText[] {
  const database = new Database(file, { readonly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%doc TEXT%'")
    .pluck()
    .all() as string[];
  const texts = tables.flatMap((name) => database.prepare(`SELECT doc FROM "${name}"`).pluck().all() as StoredText[]);
  database.close();
  return texts;
}

const filesWith = (traces: readonly Buffer[], directory: string): string[] =>
  databasesIn(directory).filter((file) => traces.some((trace) => readFileSync(file).includes(trace)));

describeProducts('erasing a person', (start, mode) => {
  let running: Running;

  beforeAll(async () => {
    running = await start();
  }, 60_000);
  afterAll(() => running?.stop());

  const erase = async (body: object): Promise<Record<string, unknown>> => {
    const { nonce } = await running.client<{ nonce: string }>('GET', '/v1/auth/nonce');
    const authorization = `Basic ${Buffer.from(`admin:${running.secrets.applicationPassword}`).toString('base64')}`;
    const answer = await fetch(`${running.url}/v1/audit-log/person`, {
      method: 'DELETE',
      headers: { authorization, 'x-host-nonce': nonce, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Record<string, unknown>;
  };

  test('takes the payloads of their webhooks out of the files, and keeps what tells copies apart', async () => {
    const { client } = running;
    await importOrders(client, payableOrders(7_000, orders));
    const created = Math.floor(Date.now() / 1000);
    const bodies = Array.from(
      { length: orders },
      (_, index) => cardPayment({ key: `erase${index}`, orderId: 7_000 + index, created }).body,
    );
    for (const body of bodies) expect(await postSigned(running, body)).toMatchObject({ success: true });
    const events = () => client<{ pagination: { total: number } }>('GET', '/v1/webhooks/events?state=done&per_page=1');
    await waitFor(async () => (await events()).pagination.total === orders, { timeout: 30_000 });
    const directory = running.env.DATA_DIR ?? '';
    const traces = mode === 'embedded' ? tracesOf(address, directory) : [];
    if (mode === 'embedded') expect(filesWith(traces, directory)).not.toEqual([]);

    const found = () =>
      client<{ logs: { order_id: number | null }[] }>(
        'GET',
        `/v1/audit-log?view=flat&event_type=process_completed&per_page=100&search=${encodeURIComponent(address)}`,
      );
    const about = await waitFor(async () => {
      const { logs } = await found();
      return new Set(logs.map(({ order_id }) => order_id)).size === orders && logs;
    });
    expect(about.every(({ order_id }) => (order_id ?? 0) >= 7_000)).toBe(true);

    expect(await erase({ email: address })).toMatchObject({
      success: true,
      payloads: { erased: orders, unconfirmed: 0 },
    });
    if (mode === 'embedded') {
      expect(tracesOf(address, directory)).toEqual([]);
      expect(filesWith([Buffer.from(address), ...traces], directory)).toEqual([]);
    }
    expect(await erase({ email: address })).toMatchObject({ payloads: { erased: 0, unconfirmed: 0 } });
    expect((await found()).logs).toEqual([]);
    expect(await postSigned(running, bodies[0] ?? Buffer.alloc(0))).toMatchObject({ success: true, duplicate: true });
    const logged = () =>
      client<{ logs: { summary: string }[] }>('GET', '/v1/audit-log?view=flat&event_type=audit_deleted&per_page=5');
    const { logs } = await waitFor(async () => {
      const found = await logged();
      return found.logs.length === 2 && found;
    });
    expect(logs.at(-1)?.summary).toContain(`the payloads of ${orders} received webhooks and of`);
    expect(JSON.stringify(logs)).not.toContain('ada@');
    expect(await client<{ valid: boolean }>('GET', '/v1/audit-log/verify')).toMatchObject({ valid: true });
  }, 120_000);

  test('takes addresses of any script (decisions.md section 7)', async () => {
    expect(await erase({ email: 'kontakt@müller.example' })).toMatchObject({ success: true, erased: 0 });
  });
});
