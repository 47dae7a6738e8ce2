import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewAuditEntry } from '@order-automation/contracts';
import { sqliteStore } from '@order-automation/store';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { digestOf, lineOfStored, personOfEntry } from '../src/chain/proved-line';
import { headOf, idsOf, runsOf, type SealDocument } from '../src/chain/seals';
import type { StoredEntry } from '../src/records/entry';
import { type LogRecord, sealedOf } from '../src/records/log-record';
import { story } from './audit';
import { openLog } from './log';

type Log = Awaited<ReturnType<typeof openLog>>;
/** A log of 20 entries in six records under three seals. */
type Sealed = { readonly deps: LaneDeps; readonly log: Log; readonly records: readonly LogRecord[] };

let made = 0;

/** One process, of 2, 3 or 5 entries: an order, a rule, an address. */
function handOver(entries: number): NewAuditEntry[] {
  made += 1;
  const summary = `Mail to ada${made}@example.com was sent.`;
  return [...story(`proc_${made}`), ...story(`proc_${made}`)]
    .slice(0, entries)
    .map((entry, index) => ({ ...entry, uid: `evt_proc_${made}:${index}`, order_id: 1000 + made, summary }));
}

async function sealed(deps: LaneDeps): Promise<Sealed> {
  const log = await openLog(deps);
  for (const sizes of [
    [3, 3],
    [5, 3],
    [2, 4],
  ]) {
    await log.recordEntries(sizes.flatMap(handOver));
    await log.settle();
  }
  return { deps, log, records: await log.records.inRange({}, 0) };
}

type Place = { readonly record: LogRecord; readonly at: number; readonly id: number };

/** Where the nth entry stands. */
function placeOf(records: readonly LogRecord[], nth: number): Place {
  const places = records.flatMap((record) => record.entries.map((_, at) => ({ record, at, id: record._id + at })));
  return places[nth] as Place;
}

/** Each changes what is stored and gives the first id at which the log is wrong. */
type Tamper = (log: Log, place: Place, records: readonly LogRecord[]) => Promise<number>;

const replaced = async (log: Log, record: LogRecord, change: Partial<LogRecord>): Promise<void> => {
  const { _id, ...rest } = record;
  await log.records.documents.bulkWrite([{ replaceOne: { filter: { _id }, replacement: { ...rest, ...change } } }]);
};

const changed = async (log: Log, { record, at, id }: Place, change: (entry: object) => object): Promise<number> => {
  const entries = record.entries.map((entry, index) => (index === at ? change(entry) : entry)) as LogRecord['entries'];
  await replaced(log, record, { entries });
  return id;
};

const tampers: Record<string, Tamper> = {
  'an edited summary': (log, place) => changed(log, place, (entry) => ({ ...entry, summary: 'Nothing happened.' })),
  'an edited facet': (log, place) => changed(log, place, (entry) => ({ ...entry, facet: 'api info security_denied' })),
  'another order': (log, place) => changed(log, place, (entry) => ({ ...entry, order_id: 1 })),
  'another time': (log, place) => changed(log, place, (entry) => ({ ...entry, timestamp: '2020-01-01T00:00:00.000Z' })),
  'an edited summary under the digest of that': async (log, place) => {
    await changed(log, place, (entry) => {
      const edited = { ...(entry as StoredEntry), summary: 'Nothing happened.' };
      return { ...edited, digest: digestOf(lineOfStored(place.record, place.at, edited)) };
    });
    return place.record._id;
  },
  'a forged deletion': async (log, place) => {
    await changed(log, place, (entry) => {
      const { uid, digest } = entry as StoredEntry;
      return { uid, digest, deleted_by: 'proc_forged' };
    });
    return place.record._id;
  },
  'a forged erasure': async (log, place) => {
    await changed(log, place, ({ email_hash: _hash, person_salt: _salt, ...entry }: Partial<StoredEntry>) => ({
      ...entry,
      person: personOfEntry(place.record.entries[place.at] as StoredEntry),
      erased_by: 'proc_forged',
    }));
    return place.record._id;
  },
  'another salt': (log, place) => changed(log, place, (entry) => ({ ...entry, salt: 'AAAAAAAAAAAAAAAAAAAAAA' })),
  'a fifth word of the facet': async (log, place) => {
    await changed(log, place, (entry) => ({ ...entry, facet: `${(entry as StoredEntry).facet} more` }));
    return place.record._id;
  },
  'an entry cut out': async (log, { record, at, id }) => {
    await replaced(log, record, { entries: record.entries.filter((_, index) => index !== at) });
    // Behind the last one no entry moves up: the record as a whole is not what we wrote.
    return at === record.entries.length - 1 ? record._id : id;
  },
  'an entry added': async (log, { record }) => {
    const [first] = record.entries;
    await replaced(log, record, { entries: [...record.entries, ...(first ? [first] : [])] });
    return record._id + record.entries.length;
  },
  'two entries in each other’s place': async (log, { record, at, id }) => {
    const next = (at + 1) % record.entries.length;
    const [a, b] = [record.entries[at], record.entries[next]];
    const entries = record.entries.map((entry, index) => (index === at ? b : index === next ? a : entry));
    await replaced(log, record, { entries: entries as LogRecord['entries'] });
    return Math.min(id, record._id + next);
  },
  'a record of another process': async (log, { record }) => {
    await replaced(log, record, { process_id: 'proc_other' });
    return record._id;
  },
  'a record of another cause': async (log, { record }) => {
    await replaced(log, record, { uid: 'evt_other' });
    return record._id;
  },
  'a record that an order does not lead to': async (log, { record }) => {
    await replaced(log, record, { terms: record.terms.filter((term) => !term.startsWith('o:')) });
    return record._id;
  },
  'a record that a rule does not lead to': async (log, { record }) => {
    const at = record.entries.findIndex((entry) => 'rule_id' in entry);
    if (at < 0) return changed(log, { record, at: 0, id: record._id }, (entry) => ({ ...entry, rule_id: 3 }));
    await replaced(log, record, { terms: record.terms.filter((term) => !term.startsWith('r:')) });
    return record._id + at;
  },
  'a record that is gone': async (log, { record }) => {
    await log.records.remove([record._id]);
    return record._id;
  },
  'a record more': async (log, { record }, records) => {
    const last = records.at(-1) as LogRecord;
    const _id = last._id + last.entries.length;
    await log.records.documents.insertOne({ ...record, _id, uid: 'evt_inserted' });
    return _id;
  },
  'the end of the log cut off': async (log, { record }) => {
    await log.records.documents.deleteMany({ _id: { $gte: record._id } });
    return record._id;
  },
  'the end of the chain cut off': async (log) => {
    await log.seals.documents.deleteMany({ _id: { $gte: 2 } });
    return (await log.seals.byNumber(1))?.below ?? 0;
  },
  'an entry edited, and the chain rebuilt by somebody without the key': async (log, place, records) => {
    const id = await changed(log, place, (entry) => ({ ...entry, summary: 'Nothing happened.' }));
    await withNewHeads(log, records);
    return id;
  },
  'a record cut out, and the chain rebuilt by somebody without the key': async (log, { record }, records) => {
    await log.records.remove([record._id]);
    const seals = await withNewHeads(log, records);
    const cut = seals.find(({ from, below }) => record._id >= from && record._id < below) as SealDocument;
    return idsOf(cut.runs)[0] ?? cut.from;
  },
  'a seal that was edited': async (log, _place, records) => {
    await log.seals.documents.updateOne({ _id: 2 }, { $set: { entries: 15 } });
    return records[2]?._id ?? 0;
  },
};

/** Gives every seal the ids, the count and the head that fit what is stored now. */
async function withNewHeads(log: Log, records: readonly LogRecord[]): Promise<SealDocument[]> {
  const stored = await log.records.inRange({}, 0);
  const seals = await log.seals.from(records[0]?._id ?? 0, 9);
  const made: SealDocument[] = [];
  for (const seal of seals) {
    const before = made.at(-1) ?? { head: '', entries: 0 };
    const sealed = stored.filter(({ _id }) => _id >= seal.from && _id < seal.below).flatMap(sealedOf);
    const body = { ...seal, runs: runsOf(sealed.map(({ _id }) => _id)), entries: before.entries + sealed.length };
    made.push({ ...body, head: headOf(before.head, body, sealed) });
  }
  for (const { _id, ...replacement } of made)
    await log.seals.documents.bulkWrite([{ replaceOne: { filter: { _id }, replacement } }]);
  return made;
}

describeLanes('audit: tampering', (lane) => {
  test('every tampering in the database is found, with the first bad id', async () => {
    const runs = Number(process.env.TAMPERS) || (lane.name === 'embedded' ? 60 : 6);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(tampers)), fc.nat({ max: 19 }), async (kind, at) => {
        const deps = await lane.deps();
        const { log, records } = await sealed(deps);
        expect(await log.verify()).toMatchObject({ valid: true, checked: 20 });
        const tamper = tampers[kind] as Tamper;
        const first = await tamper(log, placeOf(records, at), records);
        const { valid, first_bad_id } = await log.verify();
        expect([kind, valid, first_bad_id]).toEqual([kind, false, first]);
        await deps.close();
      }),
      { numRuns: runs, endOnFailure: true },
    );
  }, 600_000);

  const columns: [string, (_id: number) => string][] = [
    ['the id', (id) => `UPDATE records SET id = id + 100000 WHERE id = ${id}`],
    ['the number of the row', (id) => `UPDATE records SET seq = seq + 100000 WHERE id = ${id}`],
    ['the process', (id) => `UPDATE records SET "v:process_id" = 'proc_other' WHERE id = ${id}`],
    ['the cause', (id) => `UPDATE records SET "v:uid" = 'evt_other' WHERE id = ${id}`],
    ['the terms', (id) => `DELETE FROM records__terms WHERE rowid = ${id}`],
  ];

  // SQLite alone keeps columns beside its documents.
  if (lane.name === 'embedded')
    test.each(columns)('a column that says something else than its document is found: %s', async (_, sql) => {
      const folder = mkdtempSync(join(tmpdir(), 'tampers-'));
      const file = join(folder, 'audit.sqlite');
      const store = await sqliteStore({ file });
      const { log, records } = await sealed(await lane.deps({ store }));
      const { _id } = records[3] as LogRecord;
      const database = new Database(file);
      expect(database.prepare(sql(_id)).run().changes).toBe(1);
      database.close();
      expect(await log.verify()).toMatchObject({ valid: false, first_bad_id: _id });
      await store.close();
      rmSync(folder, { recursive: true });
    });
});
