import { type Answer, isoTime, ServiceError } from '@order-automation/contracts';
import type { Log } from '../log';
import { processNotFound } from '../processes/processes';
import { isDeleted, isOurRecord, type LogRecord } from '../records/log-record';
import { checkpointOf, noteOf, originOf, verifierKeysOf } from './heads';
import type { ChainKeys } from './keys';
import { hexOf, lineOfStored, provedLine } from './proved-line';
import { isOurSeal, type SealDocument, type Seals } from './seals';

/** Records read at once; a page ends with the record that fills it. */
const readAtOnce = 128;
const entriesOfPage = 500;
const charactersOfPage = 1_000_000;

/** The name of this format, in the first line of an export. */
const exportFormat = 'order-automation/audit-export/1';
/** The same of a receipt: an export of one process, with the digests of the entries between its own. */
const receiptFormat = 'order-automation/audit-receipt/1';

/**
 * The first line of an export with proof (decision 12), and the ids that it has: the whole seals that hold what was recorded between two times, or the whole
 * log. 409 `svc_log_not_sealed` while nothing of that is sealed, `svc_log_not_provable` when seals were altered: nothing is signed that we did not make.
 */
export const openExport: Answer<'audit.export.open.v1', Log> = async (
  { date_from, date_to, process_id },
  { records, seals, keys, clock },
) => {
  const ids = process_id === undefined ? null : (await records.ofProcesses([process_id])).map(({ _id }) => _id);
  const { start, from, to } = await (ids ? sealsOver(ids, date_to, seals) : sealsBetween(date_from, date_to, seals));
  const before = from._id === start.seal + 1 ? start : await seals.byNumber(from._id - 1);
  const isIntact = start.intact && before?.below === from.from && isOurSeal(from, keys) && isOurSeal(to, keys);
  if (!before || !isIntact)
    throw notProvable('The seals of this range were altered; GET /audit-log/verify says where the log is not whole.');
  const entries = to.entries - from.entries + from.runs.reduce((sum, [, count]) => sum + count, 0);
  const header = {
    format: ids ? receiptFormat : exportFormat,
    process_id,
    origin: originOf(keys),
    verifier_keys: verifierKeysOf(keys),
    exported_at: isoTime(clock.now()),
    date_from,
    date_to,
    first_seal: from._id,
    last_seal: to._id,
    from_id: from.from,
    below_id: to.below,
    entries,
    entries_before: to.entries - entries,
    head_before: before.head,
    log_begins_with_seal: start.seal + 1,
  };
  return { line: jsonLine(header), from_id: from.from, below_id: to.below, last_seal: to._id, entries };
};

async function sealsBetween(date_from: string | null, date_to: string | null, seals: Seals) {
  const start = await seals.first();
  const [first] = await seals.from(start.below, 1);
  const [latest] = await seals.latest(1);
  const from = date_from === null ? first : await seals.madeFrom(date_from);
  const to = (date_to === null ? undefined : await seals.madeFrom(date_to)) ?? latest;
  if (!from || !to || from._id > to._id) throw notSealed();
  return { start, from, to };
}

/** The seals from that over the first of these entries to that over the last, and on to those that were made by a time. */
async function sealsOver(ids: readonly number[], until: string | null, seals: Seals) {
  if (ids.length === 0) throw processNotFound();
  const [start, [from], [last], later] = await Promise.all([
    seals.first(),
    seals.from(Math.min(...ids), 1),
    seals.from(Math.max(...ids), 1),
    until === null ? undefined : ((await seals.madeFrom(until)) ?? (await seals.latest(1))[0]),
  ]);
  if (!from || !last) throw notSealed();
  return { start, from, to: later && later._id > last._id ? later : last };
}

function notSealed(): ServiceError {
  const text = 'Not all of this is sealed. Entries are sealed at most 30 s after they were recorded.';
  return new ServiceError(409, 'svc_log_not_sealed', text);
}

const notProvable = (message: string): ServiceError => new ServiceError(409, 'svc_log_not_provable', message);

/** Lines of an export from an id on: entries by id, each seal behind its last entry. 409 `svc_log_not_provable` when retention has removed them. */
export const readExport: Answer<'audit.export.read.v1', Log> = async (
  { from_id, below_id, process_id },
  { records, seals, keys },
) => {
  const [seal] = await seals.from(from_id, 1);
  const found = seal ? await records.inRange({ from: from_id, below: seal.below }, readAtOnce) : [];
  // Retention moves the beginning before it removes anything.
  if (!seal || seal.from > from_id || (await seals.first()).below > from_id)
    throw notProvable('Retention removed entries while they were exported. Try again.');
  const page = { lines: '', entries: 0, next_id: from_id };
  for (const record of found) {
    const isOther = process_id !== undefined && record.process_id !== process_id;
    page.lines += isOther ? digestsOf(record) : linesOf(record, keys);
    page.entries += record.entries.length;
    page.next_id = record._id + 1;
    if (page.entries >= entriesOfPage || page.lines.length >= charactersOfPage) return page;
  }
  if (found.length === readAtOnce) return page;
  return { ...page, lines: page.lines + sealLine(seal), next_id: seal.below < below_id ? seal.below : null };
};

const jsonLine = (value: object): string => `${JSON.stringify(value)}\n`;

/** The lines of the entries of a record. What was deleted has its digest; a mark stands before what a person was erased from. */
function linesOf(record: LogRecord, keys: ChainKeys): string {
  let lines = isOurRecord(record, keys) ? '' : jsonLine({ altered: record._id });
  for (const [at, entry] of record.entries.entries()) {
    const id = record._id + at;
    if (isDeleted(entry)) lines += jsonLine({ deleted: id, digest: hexOf(entry.digest), by: entry.deleted_by });
    else {
      const line = provedLine(record, at, entry);
      if (line === undefined) lines += jsonLine({ altered: id });
      if (entry.erased_by !== undefined) lines += jsonLine({ erased: id, by: entry.erased_by });
      lines += `${line ?? lineOfStored(record, at, entry)}\n`;
    }
  }
  return lines;
}

const digestsOf = ({ _id, entries }: LogRecord): string =>
  entries.map(({ digest }, at) => jsonLine({ other: _id + at, digest: hexOf(digest) })).join('');

const sealLine = ({ _id, from, below, entries, at, head }: SealDocument): string =>
  jsonLine({ seal: _id, from_id: from, below_id: below, entries, at, head });

/** The last line of an export: its last head as a checkpoint, and a signature over every line before this one. */
export const signExport: Answer<'audit.export.sign.v1', Log> = async (
  { last_seal, lines, sha256 },
  { seals, keys },
) => {
  const seal = await seals.byNumber(last_seal);
  if (!seal || !isOurSeal(seal, keys)) throw notProvable('The last seal of the export was altered or removed.');
  const checkpoint = checkpointOf(seal, keys);
  return { line: jsonLine({ checkpoint, lines: noteOf(`${originOf(keys)}/export`, lines, sha256, keys) }) };
};
