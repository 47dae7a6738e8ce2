import { waitFor } from '@order-automation/testing';
import { verifyExport } from '../../cli/src/proof/verify-export';
import { importOrders, payableOrders } from './product-client';
import { describeProducts, type Entry, payment, postSigned, type Running } from './products';

const webhooks = 60;

/** The lines of a stream. The connection is cut when nobody reads on, or when `end` says so. */
async function* lines(
  { url, secrets }: Running,
  path: string,
  headers = {},
  end?: AbortSignal,
): AsyncGenerator<string> {
  const authorization = `Basic ${Buffer.from(`admin:${secrets.applicationPassword}`).toString('base64')}`;
  const abort = new AbortController();
  end?.addEventListener('abort', () => abort.abort(), { once: true });
  const answer = await fetch(`${url}${path}`, { headers: { authorization, ...headers }, signal: abort.signal });
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of answer.body ?? []) {
      const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
  } finally {
    abort.abort();
  }
}

/** Follows the log with a new connection after every few entries, as a browser does whose network fails, until it has seen them all. */
async function follow(running: Running, seen: Set<number>, end: AbortSignal): Promise<number> {
  let [last, connections] = ['0', 0];
  while (!end.aborted) {
    connections += 1;
    let left = 40;
    try {
      for await (const line of lines(running, '/v1/audit-log/stream', { 'last-event-id': last }, end)) {
        if (line.startsWith('id: ')) last = line.slice(4);
        if (line.startsWith('data: ')) {
          const { id } = JSON.parse(line.slice(6)) as Entry;
          if (!seen.has(id)) left -= 1;
          seen.add(id);
        }
        if (left <= 0) break;
      }
    } catch (error) {
      if (!end.aborted) throw error;
    }
  }
  return connections;
}

const count = async ({ client }: Running, filter = ''): Promise<number> =>
  (await client<{ pagination: { total: number } }>('GET', `/v1/audit-log?view=flat&per_page=1${filter}`)).pagination
    .total;

describeProducts('the log over HTTP', (start) => {
  let running: Running;

  beforeAll(async () => {
    running = await start();
    await importOrders(running.client, payableOrders(6001, webhooks));
  }, 90_000);
  afterAll(() => running?.stop(), 60_000);

  it('a live tail misses no entry across reconnects; an export has the same entries, and the log proves whole', async () => {
    const seen = new Set<number>();
    const end = new AbortController();
    const following = follow(running, seen, end.signal);
    for (let index = 0; index < webhooks; index += 1)
      await postSigned(running, payment(`pi_log_${index}`, 6001 + index));
    const total = await waitFor(
      async () => {
        const [before, open] = [
          await count(running),
          await running.client<{ pagination: { total: number } }>(
            'GET',
            '/v1/audit-log?view=flat&per_page=1&event_type=process_completed',
          ),
        ];
        return open.pagination.total >= webhooks && before === (await count(running)) && before;
      },
      { timeout: 60_000, describe: 'the end of all processes' },
    );
    await waitFor(async () => seen.size >= total, { describe: 'the tail to catch up' });
    end.abort();
    expect(await following).toBeGreaterThan(2);

    const exported: number[] = [];
    for await (const line of lines(running, '/v1/audit-log/export')) exported.push((JSON.parse(line) as Entry).id);
    expect(exported).toEqual([...exported].sort((a, b) => b - a));
    expect(new Set(exported)).toEqual(seen);
    const csv: string[] = [];
    for await (const line of lines(running, '/v1/audit-log/export?format=csv&event_type=webhook_received'))
      csv.push(line);
    expect(csv).toHaveLength(webhooks + 1);
    const all = await count(running, '&include_debug=true');
    expect(all).toBeGreaterThan(total);
    const { checked, ...verified } = await waitFor(
      async () => {
        const found = await running.client<Record<string, unknown>>('GET', '/v1/audit-log/verify');
        return found.unsealed === 0 && found;
      },
      { timeout: 60_000, describe: 'a seal over all entries' },
    );
    expect(verified).toMatchObject({ valid: true, deleted: 0, erased: 0 });
    expect(checked).toBe(await count(running, '&include_debug=true'));
    expect(checked).toBeGreaterThanOrEqual(all);
    const file: Buffer[] = [];
    for await (const line of lines(running, '/v1/audit-log/export?proof=true')) file.push(Buffer.from(`${line}\n`));
    expect(await verifyExport(file)).toMatchObject({ valid: true, reason: null, entries: checked });
  }, 180_000);
});
