import { createMetrics, keyRing } from '@order-automation/service';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import fc from 'fast-check';
import { headsOf } from '../../audit/src/chain/heads';
import { chainKeys } from '../../audit/src/chain/keys';
import { erasePerson } from '../../audit/src/deletion/erasure';
import { applyRetention } from '../../audit/src/deletion/retention';
import { openLog as openParts } from '../../audit/src/log';
import { auditTelemetry } from '../../audit/src/telemetry';
import { auditConfig } from '../../audit/test/audit';
import { erasing, openLog, some } from '../../audit/test/log';
import { parseHeads, textOf } from '../../cli/src/proof/kept-heads';
import { verifyExport } from '../../cli/src/proof/verify-export';
import { exported, type Log } from './exported-log';
import { fileTampers, insiderTampers, remade } from './proof-tampers';

const address = 'ada@customer.example';

const check = (file: Buffer, heads?: string) =>
  verifyExport([file], heads === undefined ? undefined : parseHeads(heads));
const keptHeads = async (log: Log): Promise<string> => textOf(await headsOf(100, log));

/** 26 entries under three seals, of which two were deleted and two led to a person who was erased; and two more that no seal covers. */
async function story(deps: LaneDeps) {
  const log = await openLog(deps);
  await log.recordEntries(some(9));
  await log.settle();
  const summary = `Mail to ${address} was sent.`;
  await log.recordEntries([
    ...some(5),
    ...some(2, { summary }),
    ...some(6, { details: { note: 'zwei Zeilen\nund “mehr”' } }),
  ]);
  await log.settle();
  const heads = await keptHeads(log);
  const [first, , third] = (await log.records.inRange({}, 0)).map(({ _id }) => _id);
  await log.deletions.remove({ log_ids: [first ?? 0, third ?? 0], user: 'ada', process_id: 'proc_deletion' });
  await erasePerson(
    { email: address, customer_id: null, user: 'ada', process_id: 'proc_erasure' },
    { ...log, bus: erasing() },
  );
  await log.recordEntries(some(2));
  await log.settle();
  await log.recordEntries(some(2));
  return { log, heads, file: await exported(log) };
}

describeLanes('an export with proof', (lane) => {
  /** A story that tests only read, and stores for those that change it. */
  let logged: Awaited<ReturnType<typeof story>>;
  const open: LaneDeps[] = [];
  const fresh = async (): Promise<LaneDeps> => {
    const deps = await lane.deps();
    open.push(deps);
    return deps;
  };
  beforeAll(async () => {
    logged = await story(await fresh());
  }, 120_000);
  afterAll(async () => {
    for (const deps of open) await deps.close();
  }, 120_000);

  test('proves itself without the service, lists what was deleted and erased, and counts as verify does', async () => {
    const { log, heads, file } = logged;
    const proof = await check(file, heads);
    expect(proof).toMatchObject({
      valid: true,
      entries: 26,
      seals: 3,
      from_the_beginning: true,
      deleted: 2,
      erased: 2,
    });
    expect(proof.heads).toEqual({ fit: 2, outside: 0, entries: 22 });
    expect(proof.deleted_entries.map(({ by }) => by)).toEqual(['proc_deletion', 'proc_deletion']);
    expect(proof.erased_entries.map(({ by }) => by)).toEqual(['proc_erasure', 'proc_erasure']);
    const verified = await log.verify();
    expect(verified).toMatchObject({ valid: true, checked: 28, unsealed: 2, deleted: 2, erased: 2 });
    expect(await check(file)).toMatchObject({ valid: true, heads: null });
    expect(file.toString()).not.toContain(address);
    const salts = file.toString().match(/"salt":"[^"]{22}"/g) ?? [];
    expect(new Set(salts).size).toBe(24);
  }, 120_000);

  test('a part of the log joins heads at its edges; what retention removed is no gap', async () => {
    const deps = await fresh();
    const { log } = await story(deps);
    const [last, middle] = await log.seals.latest(2);
    const heads = await keptHeads(log);
    const part = await exported(log, { date_from: middle?.at ?? '', date_to: middle?.at ?? '' });
    expect(await check(part, heads)).toMatchObject({
      valid: true,
      entries: 13,
      seals: 1,
      from_the_beginning: false,
      heads: { fit: 2, outside: 1, entries: 13 },
    });
    const later = { date_from: new Date(Date.parse(last?.at ?? '') + 1).toISOString() };
    await expect(exported(log, later)).rejects.toMatchObject({ status: 409, code: 'svc_log_not_sealed' });
    deps.clock.advance(90_000_000);
    await log.recordEntries(some(1));
    await log.settle();
    await applyRetention(86_400_000, { dry_run: false }, log);
    const rest = await check(await exported(log), await keptHeads(log));
    expect(rest).toMatchObject({ valid: true, from_the_beginning: true });
    expect(rest.entries).toBeLessThan(10);
  }, 120_000);

  test('nothing is signed that the service did not make, and what was altered before its seal is said', async () => {
    const { log } = await story(await fresh());
    const unsealed = (await log.records.inRange({}, 0)).at(-1);
    if (!unsealed) throw new Error('nothing was recorded');
    const { _id, ...record } = unsealed;
    const entries = record.entries.map((entry) => ({ ...entry, summary: 'Nothing happened.' }));
    const replacement = { ...record, entries };
    await log.records.documents.bulkWrite([{ replaceOne: { filter: { _id }, replacement } }]);
    await log.settle();
    const { valid, reason } = await check(await exported(log));
    expect([valid, reason]).toEqual([
      false,
      `The installation says that entry ${_id} was altered after it was recorded.`,
    ]);
    await log.seals.documents.updateOne({ _id: 4 }, { $set: { head: Buffer.alloc(32).toString('base64') } });
    await expect(exported(log)).rejects.toMatchObject({ status: 409, code: 'svc_log_not_provable' });
    expect((await headsOf(9, log)).heads.map(({ seal }) => seal)).toEqual([3, 2, 1]);
  }, 120_000);

  test('heads of before a change of SECRET_KEY still vouch for the file while the former key is in the list', async () => {
    const deps = await fresh();
    const { heads } = await story(deps);
    const telemetry = auditTelemetry({ log: deps.log, metrics: createMetrics('test') });
    const [former = Buffer.alloc(0)] = auditConfig.secretKey.reveal();
    const open = (keys: Buffer[]) =>
      openParts({ store: deps.store, clock: deps.clock, telemetry, secretKeys: keyRing(keys) });
    const both = await exported(await open([Buffer.alloc(32, 8), former]));
    expect(await check(both, heads)).toMatchObject({ valid: true, heads: { fit: 2 } });
    const forged = remade(both.toString(), (entries) => entries, chainKeys(keyRing([Buffer.alloc(32, 8)])));
    expect(await check(forged)).toMatchObject({ valid: true });
    expect((await check(forged, heads)).reason).toMatch(/signed by .* the kept heads by/);
  }, 120_000);

  test('every tampering with a file is found, without the service', async () => {
    const runs = Number(process.env.TAMPERS) || 150;
    const { file } = logged;
    expect(await check(file)).toMatchObject({ valid: true });
    const kinds = fc.constantFrom(...Object.keys(fileTampers));
    const at = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
    await fc.assert(
      fc.asyncProperty(kinds, at, at, fc.integer({ min: 1, max: 255 }), async (kind, here, there, byte) => {
        const tampered = fileTampers[kind]?.(file, here, there, byte) ?? file;
        fc.pre(!tampered.equals(file));
        expect([kind, (await check(tampered)).valid]).toEqual([kind, false]);
      }),
      { numRuns: runs, endOnFailure: true },
    );
  }, 600_000);

  test('a file that somebody with the key rewrote is found by the heads that were kept', async () => {
    const runs = Number(process.env.TAMPERS) || 60;
    const { log, heads, file } = logged;
    expect(
      await check(
        remade(file.toString(), (entries) => entries, log.keys),
        heads,
      ),
    ).toMatchObject({ valid: true });
    const kinds = fc.constantFrom(...Object.keys(insiderTampers));
    await fc.assert(
      // The heads vouch for the entries under the first two seals.
      fc.asyncProperty(kinds, fc.nat({ max: 21 }), async (kind, at) => {
        const tampered = remade(file.toString(), (entries) => insiderTampers[kind]?.(entries, at) ?? entries, log.keys);
        expect([kind, (await check(tampered)).valid]).toEqual([kind, true]);
        expect([kind, (await check(tampered, heads)).valid]).toEqual([kind, false]);
      }),
      { numRuns: runs, endOnFailure: true },
    );
  }, 600_000);
});
