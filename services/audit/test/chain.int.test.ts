import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { describeLanes } from '@order-automation/testing';
import fc from 'fast-check';
import { headsOf } from '../src/chain/heads';
import { openProcesses } from '../src/processes';
import { openLog, sealedLog, some } from './log';

describeLanes('audit: the chain', (lane) => {
  test('an untouched log verifies, sealed and not yet sealed, with its heads signed', async () => {
    const { deps, log } = await sealedLog(lane, [7, 1, 12]);
    await log.record(some(3));
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
    const [told] = await log.entries.ofProcesses(['proc_del']);
    expect(told?.summary).toBe('ada deleted 2 entries of the log.');
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
    expect(await again.entries.byIds([first._id])).toEqual([]);
    expect((await again.entries.ofProcesses(['proc_cut'])).length).toBe(1);
    expect(await again.deletions.documents.find({}).toArray()).toEqual([]);
    expect(await again.verify()).toMatchObject({ valid: true });
    await deps.close();
  });

  const tampers = ['edit', 'delete', 'swap', 'insert', 'cut entries', 'cut seals', 'forge', 'reseal'] as const;

  test('every tampering in the database is found, with the first bad id', async () => {
    const runs = Number(process.env.TAMPERS) || (lane.name === 'embedded' ? 40 : 6);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tampers),
        fc.nat({ max: 19 }),
        fc.nat({ max: 19 }),
        async (kind, at, other) => {
          const { deps, log, all } = await sealedLog(lane, [6, 8, 6]);
          const { documents } = log.entries;
          const entry = all[at] as (typeof all)[number];
          const second = all[(at + 1 + (other % 19)) % 20] as (typeof all)[number];
          let first = entry._id;
          if (kind === 'edit')
            await documents.updateOne({ _id: entry._id }, { $set: { summary: 'Nothing happened.' } });
          if (kind === 'delete') await documents.deleteMany({ _id: { $eq: entry._id } });
          if (kind === 'swap') {
            const [a, b] = [entry.details ?? {}, second.details ?? {}];
            await documents.updateOne(
              { _id: entry._id },
              { $set: { summary: second.summary, details: b, uid: 'x', mac: second.mac } },
            );
            await documents.updateOne(
              { _id: second._id },
              { $set: { summary: entry.summary, details: a, uid: 'y', mac: entry.mac } },
            );
            first = Math.min(entry._id, second._id);
          }
          if (kind === 'insert') {
            const free = Math.max(...all.map(({ _id }) => _id)) + 1;
            await documents.insertOne({ ...entry, _id: free, uid: 'inserted' });
            first = free;
          }
          if (kind === 'cut entries') {
            await documents.deleteMany({ _id: { $gte: entry._id } });
          }
          if (kind === 'cut seals') {
            await log.seals.documents.deleteMany({ _id: { $gte: 2 } });
            first = (await log.seals.byNumber(1))?.below ?? 0;
          }
          if (kind === 'forge') {
            await documents.deleteMany({ _id: { $eq: entry._id } });
            const forged = { _id: entry._id, entry_mac: entry.mac, reason: 'deleted', process_id: 'p', mac: entry.mac };
            await log.tombstones.documents.insertOne(forged as never);
          }
          const found = await log.verify();
          if (kind === 'reseal') {
            await log.seals.documents.updateOne({ _id: 2 }, { $set: { entries: 13 } });
            expect(await log.verify()).toMatchObject({ valid: false, first_bad_id: all[6]?._id });
          } else expect([kind, found.valid, found.first_bad_id]).toEqual([kind, false, first]);
          await deps.close();
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });
});
