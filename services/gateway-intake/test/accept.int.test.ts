import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Store, sqliteStore } from '@order-automation/store';
import { openCollections } from '../src/accept';
import type { InboxDocument } from '../src/inbox';
import type { PayloadDocument } from '../src/payloads';

const now = Date.parse('2026-01-15T10:00:00.000Z');
const candidate: InboxDocument = {
  _id: 'evt_1',
  key: 'gateway_card:evt_1',
  state: 'accepted',
  process_id: 'proc_1',
  payload: 'evt_1',
  due_at: '2026-01-15T10:00:15.000Z',
  attempts: 0,
};

describe('a payload that cannot be written', () => {
  const directory = mkdtempSync(join(tmpdir(), 'accept-'));
  let store: Store;

  beforeAll(async () => {
    store = await sqliteStore({ file: join(directory, 'intake.sqlite'), thread: 'inline' });
  });
  afterAll(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });

  test('leaves its keys free for whoever sends it again, and those of others alone', async () => {
    const { accept, inbox, payloads } = await openCollections(store);
    const unwritable = { _id: 'evt_1', webhooks: [{ metadata: { amount: Number.POSITIVE_INFINITY } }] };
    const other = { ...candidate, _id: 'evt_0', key: 'gateway_card:evt_0' };
    await accept({ _id: 'evt_0', webhooks: [], bodies: '' }, [{ ...other, payload: 'evt_0' }], now);
    const again = { ...other, _id: 'evt_2' };
    await expect(accept(unwritable as unknown as PayloadDocument, [candidate, again], now)).rejects.toThrow('finite');
    expect(await inbox.known(['evt_0', 'evt_1', 'evt_2'])).toEqual(new Set(['evt_0']));
    expect(await accept({ _id: 'evt_1', webhooks: [], bodies: '' }, [candidate], now)).toEqual(new Map());
    expect(await payloads.documents.countDocuments({})).toBe(2);
  });
});
