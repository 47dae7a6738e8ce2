import { describeLanes, type LaneDeps } from '@order-automation/testing';
import fc from 'fast-check';
import { headsOf } from '../../audit/src/chain/heads';
import { openLog, some } from '../../audit/test/log';
import type { Receipt } from '../../cli/src/proof/export-proof';
import { parseHeads, textOf } from '../../cli/src/proof/kept-heads';
import { verifyExport } from '../../cli/src/proof/verify-export';
import { exported, type Log } from './exported-log';
import { fileTampers } from './proof-tampers';

const process_id = 'proc_receipt';

const receiptOf = (log: Log, date_to: string | null = null, process = process_id): Promise<Buffer> =>
  exported(log, { date_to, process_id: process });

async function check(file: Buffer, heads?: string) {
  const receipt: Receipt = { process_id: '', entries: [] };
  const proof = await verifyExport([file], heads === undefined ? undefined : parseHeads(heads), receipt);
  return { proof, receipt };
}
const keptHeads = async (log: Log): Promise<string> => textOf(await headsOf(100, log));

/** Three entries of a process among others, under the second and the third of four seals. */
async function story(deps: LaneDeps) {
  const log = await openLog(deps);
  await log.recordEntries(some(3));
  await log.settle();
  await log.recordEntries([
    ...some(2),
    ...some(2, { process_id, details: { body_sha256: 'ab'.repeat(32) } }),
    ...some(2),
  ]);
  await log.settle();
  await log.recordEntries([...some(1, { process_id, summary: 'The e-mail was sent.' }), ...some(1)]);
  await log.settle();
  await log.recordEntries(some(4));
  await log.settle();
  return log;
}

describeLanes('the receipt of a process', (lane) => {
  let log: Log;
  let deps: LaneDeps;
  beforeAll(async () => {
    deps = await lane.deps();
    log = await story(deps);
  }, 120_000);
  afterAll(() => deps.close());

  test('proves the entries of the process and shows nothing of others', async () => {
    const file = await receiptOf(log);
    const { proof, receipt } = await check(file, await keptHeads(log));
    expect(proof).toMatchObject({ valid: true, seals: 2, entries: 8 });
    expect(receipt.process_id).toBe(process_id);
    expect(receipt.entries.map((entry) => entry.process_id)).toEqual([process_id, process_id, process_id]);
    expect(receipt.entries[2]).toMatchObject({ summary: 'The e-mail was sent.' });
    expect(file.toString().match(/"summary"/g)).toHaveLength(3);
    // The heads before, between and at the end lie in its range; the one after does not.
    expect(proof.heads).toEqual({ fit: 3, outside: 1, entries: 8 });
    expect((await verifyExport([file])).reason).toMatch(/no export with proof/);
  });

  test('goes on to a head that was kept later', async () => {
    const [latest] = await log.seals.latest(1);
    const [checkpoint] = (await headsOf(1, log)).heads;
    const heads = textOf({ ...(await headsOf(1, log)), heads: checkpoint ? [checkpoint] : [] });
    expect((await check(await receiptOf(log), heads)).proof.heads).toEqual({ fit: 0, outside: 1, entries: 0 });
    const longer = await receiptOf(log, latest?.at ?? '');
    expect((await check(longer, heads)).proof).toMatchObject({ valid: true, heads: { fit: 1, outside: 0 } });
  });

  test('a process that is not there, and one that is not sealed yet', async () => {
    await expect(receiptOf(log, null, 'proc_none')).rejects.toMatchObject({ code: 'svc_process_not_found' });
    const other = await lane.deps();
    const young = await openLog(other);
    await young.recordEntries(some(1, { process_id }));
    await expect(receiptOf(young)).rejects.toMatchObject({ code: 'svc_log_not_sealed' });
    await other.close();
  });

  test('an entry of another process cannot pass for one of this', async () => {
    const file = (await receiptOf(log)).toString();
    const forged = file.replaceAll(`"process_id":"${process_id}"`, '"process_id":"proc_forged0"');
    expect((await check(Buffer.from(forged))).proof.valid).toBe(false);
  });

  test('1,000 tampers are found', async () => {
    const file = await receiptOf(log);
    const heads = await keptHeads(log);
    const fraction = fc.double({ min: 0, max: 0.999, noNaN: true });
    let tampered = 0;
    const names = Object.keys(fileTampers);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: names.length - 1 }),
        fraction,
        fraction,
        fc.integer({ min: 1, max: 255 }),
        async (at, here, there, byte) => {
          const tamper = fileTampers[names[at] ?? ''];
          const changed = tamper?.(file, here, there, byte) ?? file;
          if (changed.equals(file)) return;
          tampered += 1;
          expect((await check(changed, heads)).proof).toMatchObject({ valid: false, line: expect.any(Number) });
        },
      ),
      { numRuns: 1_200 },
    );
    expect(tampered).toBeGreaterThanOrEqual(1_000);
  }, 120_000);
});
