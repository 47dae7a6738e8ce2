import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { describeLanes } from '@order-automation/testing';
import { headsOf } from '../src/chain/heads';
import { openProcesses } from '../src/processes';
import { openLog, sealedLog, some } from './log';
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

  test('half a surrogate pair, which no store keeps, does not make an entry look altered', async () => {
    const { deps, log } = await sealedLog(lane, [1]);
    await log.recordEntries(some(1, { summary: 'Rule "a\ud800b" was saved.', details: { 'key \udfff': 'c\ud83d' } }));
    expect(await log.verify()).toMatchObject({ valid: true, checked: 2 });
    await log.settle();
    expect(await log.verify()).toMatchObject({ valid: true, checked: 2 });
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
});
