import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { createMetrics, keyRing } from '@order-automation/service';
import { describeLanes } from '@order-automation/testing';
import { answerFor } from '../src/answers';
import { headsOf } from '../src/chain/heads';
import { sealSettled } from '../src/chain/sealing';
import { verifyLog } from '../src/chain/verify';
import { erasePerson } from '../src/deletion/erasure';
import { applyRetention } from '../src/deletion/retention';
import { type Log, openLog as openParts } from '../src/log';
import { openProcesses } from '../src/processes/processes';
import { startRecording } from '../src/recording/recording';
import { recordOf, recordOfStored } from '../src/records/log-record';
import { reachedByIndexes } from '../src/records/reached';
import { auditTelemetry } from '../src/telemetry';
import { auditConfig, recordsOf } from './audit';
import { erasing, openLog, sealedLog, some } from './log';
import { stored } from './stored';

describeLanes('audit: the chain', (lane) => {
  test('an untouched log verifies, sealed and not yet sealed, with its heads signed', async () => {
    const { deps, log } = await sealedLog(lane, [7, 1, 12]);
    await log.recordEntries(some(3));
    expect(await log.verify()).toMatchObject({ valid: true, checked: 23, first_bad_id: null, next_id: null });
    expect((await log.seals.latest(9)).map(({ entries }) => entries)).toEqual([20, 8, 7]);
    const { heads, verifier_key } = await headsOf(2, log);
    const [name, keyId, encoded] = verifier_key.split('+') as [string, string, string];
    const raw = Buffer.from(encoded, 'base64').subarray(1);
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
    for (const { checkpoint, entries } of heads) {
      const [text, signatures] = checkpoint.split('\n\n') as [string, string];
      expect(text.split('\n').slice(0, 2)).toEqual([name, String(entries)]);
      const signed = Buffer.from(signatures.trim().split(' ').at(-1) ?? '', 'base64');
      expect(signed.subarray(0, 4).toString('hex')).toBe(keyId);
      expect(verifySignature(null, Buffer.from(`${text}\n`), key, signed.subarray(4))).toBe(true);
    }
    expect(
      createHash('sha256')
        .update(raw)
        .digest('hex')
        .startsWith(name.split('/').at(-1) ?? '-'),
    ).toBe(true);
    await deps.close();
  });

  // docs/operations/secure.md: what the log holds from before verifies only while the former key is in the list.
  test('what was recorded under a key that has left SECRET_KEY does not verify, and is not simply called altered', async () => {
    const { deps, log } = await sealedLog(lane, [3]);
    const telemetry = auditTelemetry({ log: deps.log, metrics: createMetrics('test') });
    const { store, clock } = deps;
    const rotated = await openParts({ store, clock, telemetry, secretKeys: keyRing([Buffer.alloc(32, 8)]) });
    const { valid, reason } = await verifyLog({ from_id: null, to_id: null }, rotated);
    expect([valid, reason]).toEqual([
      false,
      expect.stringMatching(/altered or its deletion forged, or SECRET_KEY lacks the former key/),
    ]);
    const both = [Buffer.alloc(32, 8), ...auditConfig.secretKey.reveal()];
    const kept = await openParts({ store, clock, telemetry, secretKeys: keyRing(both) });
    expect(await verifyLog({ from_id: null, to_id: null }, kept)).toMatchObject({ valid: true, checked: 3 });
    expect(await log.verify()).toMatchObject({ valid: true });
    await deps.close();
  });

  // docs/operations/alerts.md, "Verification Failed": the alert stays until the whole log is found intact.
  test('a part of the log that is intact says nothing of what failed elsewhere', async () => {
    const { deps, log } = await sealedLog(lane, [3]);
    const block = await log.ids.take(1);
    await log.recordEntries(some(2));
    await log.settle();
    await log.recordEntries(some(2));
    await log.settle();
    const found: boolean[] = [];
    const verified = (valid: boolean): void => void found.push(valid);
    const telemetry = { ...auditTelemetry({ log: deps.log, metrics: createMetrics('test') }), verified };
    await answerFor(log, { bus: deps.bus, telemetry, retention: 1 });
    const verify = (from_id: number | null, rest = {}) =>
      deps.bus.request('audit.log.verify.v1', { from_id, to_id: null, ...rest });
    await verify(null);
    const place = { _id: block.from, process_id: 'proc_late', uid: 'evt_proc_late', part: 0 };
    await log.records.insertNew([recordOf(place, some(1, { process_id: 'proc_late' }), log.keys)]);
    expect(await verify(null)).toMatchObject({ valid: false });
    expect(await verify(block.from + 16)).toMatchObject({ valid: true, next_id: null });
    expect(await verify(null, { to_id: 1 })).toMatchObject({ valid: true });
    expect(found).toEqual([true, false]);
    await verify(block.from + 16, { continues: true });
    expect(found).toEqual([true, false, true]);
    await deps.close();
  });

  test('a record that came after its range was sealed is recorded anew when it is handed over again', async () => {
    const { deps, log } = await sealedLog(lane, [3]);
    const late = some(1, { process_id: 'proc_late' });
    const block = await log.ids.take(1);
    await log.recordEntries(some(2));
    await log.settle();
    const place = { _id: block.from, process_id: 'proc_late', uid: 'evt_proc_late', part: 0 };
    await log.records.insertNew([recordOf(place, late, log.keys)]);
    expect(await log.verify()).toMatchObject({ valid: false, first_bad_id: block.from });

    await log.recordEntries(late);
    expect(await log.verify()).toMatchObject({ valid: true, checked: 6 });
    await log.settle();
    expect(await log.verify()).toMatchObject({ valid: true, checked: 6, unsealed: 0 });
    await deps.close();
  });

  test('a record that comes while its range is being sealed, and is handed over again before it is, is in the log once', async () => {
    const { deps, log } = await sealedLog(lane, [3]);
    const late = some(1, { process_id: 'proc_late' });
    const block = await log.ids.take(1);
    await log.recordEntries(some(2));
    deps.clock.advance(20_000);
    const place = { _id: block.from, process_id: 'proc_late', uid: 'evt_proc_late', part: 0 };
    const add: typeof log.seals.add = async (seal) => {
      await log.records.insertNew([recordOf(place, late, log.keys)]);
      await log.recordEntries(late);
      return log.seals.add(seal);
    };
    await sealSettled({ ...log, seals: { ...log.seals, add } });
    await log.settle();
    expect(await log.verify()).toMatchObject({ valid: true, checked: 6, unsealed: 0 });
    await deps.close();
  });

  test.each(['with', 'without'])(
    'a record whose insert is answered after its range was sealed %s it is in the log once',
    async (how) => {
      const { deps, log } = await sealedLog(lane, [3]);
      const seal = async (): Promise<void> => {
        await log.recordEntries(some(1));
        await log.settle();
      };
      let calls = 0;
      const insertNew: typeof log.records.insertNew = async (records) => {
        calls += 1;
        if (calls === 1 && how === 'without') await seal();
        const inserted = await log.records.insertNew(records);
        if (calls === 1) await seal();
        return inserted;
      };
      const { add } = startRecording({
        ...log,
        telemetry: auditTelemetry(deps),
        records: { ...log.records, insertNew },
      });
      expect(await add(recordsOf(some(2, { process_id: 'proc_slow' })))).toMatchObject({ recorded: 2 });
      await log.settle();
      expect(await log.verify()).toMatchObject({ valid: true, checked: how === 'with' ? 6 : 7, unsealed: 0 });
      await deps.close();
    },
  );

  test('indexes lead to what is there, and not to what is gone', async () => {
    const { deps, log, records } = await sealedLog(lane, [7, 5]);
    await log.records.remove([records[3]?._id ?? 0]);
    const reached = await reachedByIndexes(log.records.documents, records);
    expect([...reached].sort()).toEqual(
      records
        .map(({ _id }) => _id)
        .filter((_, at) => at !== 3)
        .sort(),
    );
    await deps.close();
  });

  test('half a surrogate pair, which no store keeps, does not make an entry look altered', async () => {
    const { deps, log } = await sealedLog(lane, [1]);
    await log.recordEntries(some(1, { summary: 'Rule "a\ud800b" was saved.', details: { 'key \udfff': 'c\ud83d' } }));
    expect(await log.verify()).toMatchObject({ valid: true, checked: 2 });
    await log.settle();
    expect(await log.verify()).toMatchObject({ valid: true, checked: 2 });
    await deps.close();
  });

  test.each([1, 3])(
    'texts that an earlier build cut between the halves of %i pairs verify, and their edits do not',
    async (cuts) => {
      const { deps, log } = await sealedLog(lane, [1]);
      const cut = `${'x'.repeat(3_999)}\ud83d…`;
      const kept = cut.toWellFormed();
      const details = Object.fromEntries(Array.from({ length: cuts }, (_, index) => [`note_${index}`, cut]));
      const { from: _id } = await log.ids.take(1);
      const place = { _id, process_id: 'proc_cut', uid: 'evt_cut', part: 0 };
      const entry = {
        uid: 'evt_cut:0',
        timestamp: '2026-02-01T00:00:00.000Z',
        facet: 'api info security_denied',
        summary: 'A note.',
      };
      await log.records.insertNew([recordOfStored(place, [{ ...entry, details }], log.keys)]);
      expect(JSON.stringify(await log.records.byIds([_id]))).toContain(kept);
      expect(await log.verify()).toMatchObject({ valid: true, checked: 2 });
      await log.settle();
      expect(await log.verify()).toMatchObject({ valid: true, checked: 2, unsealed: 0 });
      for (const note_0 of [`y${kept.slice(1)}`, `${kept}.`, kept.slice(1), kept.replace('\ufffd', '\ufffe')]) {
        const [record] = await log.records.byIds([_id]);
        const entries = (record?.entries ?? []).map((one) => ({
          ...one,
          details: { ...('details' in one ? one.details : {}), note_0 },
        }));
        await log.records.documents.updateOne({ _id }, { $set: { entries } });
        expect(await log.verify()).toMatchObject({ valid: false, first_bad_id: _id });
      }
      await deps.close();
    },
  );

  test('honest deletion leaves a log that verifies, an entry that says so, and rows and totals in order', async () => {
    const { deps, log, all } = await sealedLog(lane, [6, 6]);
    const doomed = [all[1], all[8]].flatMap((entry) => entry?._id ?? []);
    const deletion = { log_ids: [...doomed, 999_999], user: 'ada', process_id: 'proc_del' };
    expect(await log.deletions.remove(deletion)).toEqual({ deleted_count: 2 });
    await expect(log.deletions.remove({ ...deletion, log_ids: doomed })).rejects.toMatchObject({
      status: 404,
      code: 'svc_no_valid_logs',
    });
    expect(await log.verify()).toMatchObject({ valid: true });
    await log.settle();
    expect(await log.verify()).toMatchObject({ valid: true });
    const [logged] = await log.records.ofProcesses(['proc_del']);
    expect(logged?.summary).toBe('ada deleted 2 entries of the log.');
    expect(await (await openProcesses(deps.store)).rows([all[1]?.process_id ?? ''])).toEqual(new Map());
    await deps.close();
  });

  test('a deletion that was interrupted is finished at the next start', async () => {
    const { deps, log, all } = await sealedLog(lane, [4]);
    const [first] = all;
    if (!first) throw new Error('nothing was recorded');
    const at = '2026-02-01T00:00:00.000Z';
    await log.deletions.documents.insertOne({
      _id: 'proc_cut',
      ids: [first._id],
      processes: [first.process_id],
      user: 'ada',
      at,
    });
    const again = await openLog(deps);
    expect((await stored(deps.store)).map(({ _id }) => _id)).not.toContain(first._id);
    expect((await again.records.ofProcesses(['proc_cut'])).length).toBe(1);
    expect(await again.deletions.documents.find({}).toArray()).toEqual([]);
    expect(await again.verify()).toMatchObject({ valid: true });
    await deps.close();
  });

  test('while evaluation cannot forget the facts, the deletion is kept and the entries are deleted once', async () => {
    const { deps, all } = await sealedLog(lane, [4]);
    const forgotten: (readonly string[])[] = [];
    let isAway = true;
    const log = await openLog(deps, 8, async (events) => {
      forgotten.push(events);
      if (isAway) throw new Error('away');
    });
    const [first] = all;
    await log.deletions.remove({ log_ids: [first?._id ?? 0], user: 'ada', process_id: 'proc_del' });
    const [deleted] = await log.records.inRange({}, 0);
    await log.deletions.again();
    expect((await log.records.inRange({}, 0))[0]).toEqual(deleted);
    isAway = false;
    await log.deletions.again();
    expect(await log.deletions.documents.find({}).toArray()).toEqual([]);
    expect(forgotten).toEqual([forgotten[0], forgotten[0], forgotten[0]]);
    expect(await log.verify()).toMatchObject({ valid: true });
    await deps.close();
  });

  const changes: Record<string, (log: SealedLog['log'], ids: readonly number[]) => Promise<unknown>> = {
    retention: async (log) => applyRetention(0, { dry_run: false }, log),
    erasure: async (log) =>
      erasePerson(
        { email: 'ada@example.com', customer_id: null, user: 'admin', process_id: 'proc_erase' },
        { ...log, bus: erasing() },
      ),
    deletion: async (log, [first = 0]) =>
      log.deletions.remove({ log_ids: [first], user: 'ada', process_id: 'proc_del' }),
  };

  test.each(Object.keys(changes))(
    '%s while the log is verified is no alteration, whatever it has read by then',
    async (kind) => {
      for (const moment of ['first', 'from', 'byNumber', 'inRange', 'reachedByIndexes'] as const) {
        const { deps, log, all } = await sealedLog(lane, [3, 3], { summary: 'Mail to ada@example.com was sent.' });
        deps.clock.advance(1_000);
        await log.recordEntries(some(1));
        await log.settle();
        const read = changedAt(log, moment, () =>
          changes[kind]?.(
            log,
            all.map(({ _id }) => _id),
          ),
        );
        expect([moment, await verifyLog({ from_id: null, to_id: null }, read)]).toMatchObject([
          moment,
          { valid: true },
        ]);
        await deps.close();
      }
    },
  );

  test('a record that goes missing is found, also while others are removed', async () => {
    const { deps, log, all } = await sealedLog(lane, [3, 3]);
    const gone = all[4]?.record_id ?? 0;
    await log.records.remove([gone]);
    const read = changedAt(log, 'inRange', () => changes.deletion?.(log, [all[0]?._id ?? 0]));
    expect(await verifyLog({ from_id: null, to_id: null }, read)).toMatchObject({ valid: false, first_bad_id: gone });
    await deps.close();
  });
});

type SealedLog = Awaited<ReturnType<typeof sealedLog>>;

/** The log to somebody whose first read of this kind has its answer when something is changed. */
function changedAt(
  log: SealedLog['log'],
  moment: keyof Log['records'] | keyof Log['seals'],
  change: () => unknown,
): Log {
  let isChanged = false;
  const watched = <T extends object>(queries: T): T => {
    if (!(moment in queries)) return queries;
    const query = queries[moment as keyof T] as (...input: unknown[]) => Promise<unknown>;
    const changing = async (...input: unknown[]) => {
      const answer = await query(...input);
      if (!isChanged) {
        isChanged = true;
        await change();
      }
      return answer;
    };
    return { ...queries, [moment]: changing };
  };
  return { ...log, records: watched(log.records), seals: watched(log.seals) };
}
