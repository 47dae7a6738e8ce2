import {
  type Answer,
  auditEntry,
  type Cause,
  counted,
  derivedId,
  type ImportProgress,
  type ImportRefusal,
  isoTime,
  type NewAuditEntry,
  type RecordType,
  type RequestInput,
  recordTypes,
  ServiceError,
  type Violation,
} from '@order-automation/contracts';
import { recordsOf } from '@order-automation/service';
import type { BuiltinParts } from './parts';
import { checkedRecord, putRecords, withTerms } from './record-service';
import { type AnyRecord, idField, numbered, recordId } from './record-types';
import { prepareOrders, writeOrders } from './save';

type Input = RequestInput<'shop.import.v2'>;

/** Refusals that the import remembers; the answer to their lines has all of them. */
const maxRemembered = 100;
/** Of one line. */
const maxViolations = 10;

type Line = {
  readonly line: number;
  readonly type: RecordType | 'order';
  readonly id: string | number;
  readonly data: AnyRecord;
};

/** One batch of lines: what is valid is written, what is not is reported with its line. Then the import is that far. */
export const importLines: Answer<'shop.import.v2', BuiltinParts> = async (input, deps) => {
  const now = deps.clock.now();
  const before = await deps.imports.begin(input.id, now);
  if (before.lines !== input.after) throw elsewhere(before);
  const refusals: ImportRefusal[] = [...input.broken];
  const lines = input.lines.flatMap((text, index) => parsed(text, input.after + index + 1, refusals));
  const written: Line[] = [];
  for (const group of withoutRepeats(lines)) written.push(...(await writeGroup(group, input, refusals, deps)));
  refusals.sort((a, b) => a.line - b.line);
  const after = advanced(before, input, written, refusals, now);
  if (input.last) {
    // Everything is written. A sender that does not hear so sends the last lines again, and the entry is the same.
    const entry = importEntry(after, input.cause, now);
    await deps.outbox.add(recordsOf([entry]));
  }
  if (!(await deps.imports.advance(before, after))) throw elsewhere(before);
  return { progress: after, refusals };
};

function elsewhere({ lines }: ImportProgress): ServiceError {
  const message = `The import is at line ${lines}, because another request imports under the same id. Send it again.`;
  return new ServiceError(409, 'svc_import_conflict', message, { lines });
}

function advanced(
  before: ImportProgress,
  { lines, digest, last }: Input,
  written: readonly Line[],
  refusals: readonly ImportRefusal[],
  now: number,
): ImportProgress {
  const byType = new Map(before.imported_by_type.map(({ type, count }) => [type, count]));
  for (const { type } of written) byType.set(type, (byType.get(type) ?? 0) + 1);
  return {
    ...before,
    state: last ? 'done' : 'running',
    lines: before.lines + lines.length,
    digest,
    imported: before.imported + written.length,
    refused: before.refused + refusals.length,
    imported_by_type: [...byType].map(([type, count]) => ({ type, count })),
    refusals: [...before.refusals, ...refusals].slice(0, maxRemembered),
    updated_at: isoTime(now),
  };
}

const types: readonly string[] = ['order', ...recordTypes];

function parsed(text: string, line: number, refusals: ImportRefusal[]): Line[] {
  if (text.trim() === '') return [];
  const refuse = (reason: string): Line[] => {
    refusals.push({ line, reason });
    return [];
  };
  let value: unknown;
  try {
    // Trimming takes a byte order mark away, too.
    value = JSON.parse(text.trim());
  } catch {
    return refuse('is not valid JSON');
  }
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown };
  if (typeof type !== 'string' || !types.includes(type)) return refuse(`"type" must be one of ${types.join(', ')}`);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return refuse('"data" must be an object');
  const known = type as Line['type'];
  const field = known === 'order' ? 'id' : idField(known);
  const written = (data as AnyRecord)[field];
  const id = typeof written === 'string' ? recordId(known, written.trim()) : written;
  const isId = typeof id === 'string' ? id !== '' && id.length <= 100 : Number.isSafeInteger(id) && Number(id) > 0;
  const what = numbered.has(known) ? 'must be a positive whole number' : 'is required';
  if (!isId) return refuse(`data.${field} ${what}: the record is created or changed by it`);
  return [{ line, type: known, id: id as string | number, data: data as AnyRecord }];
}

/** Groups in which no record is named twice, so that each can be written at once and the later line wins. */
function withoutRepeats(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = [];
  const seen = new Map<string, number>();
  for (const line of lines) {
    const key = `${line.type}:${line.id}`;
    const at = seen.get(key) ?? 0;
    seen.set(key, at + 1);
    groups[at] = [...(groups[at] ?? []), line];
  }
  return groups;
}

const writtenInOrder: readonly RecordType[] = [...recordTypes.filter((type) => type !== 'product'), 'product'];

/** Terms before the products that name them, products before orders. */
async function writeGroup(
  lines: readonly Line[],
  input: Input,
  refusals: ImportRefusal[],
  deps: BuiltinParts,
): Promise<Line[]> {
  const of = (wanted: Line['type']): Line[] => lines.filter(({ type }) => type === wanted);
  const written: Line[] = [];
  for (const type of writtenInOrder) written.push(...(await writeRecords(type, of(type), refusals, deps)));
  written.push(...(await writeOrderLines(of('order'), input, refusals, deps)));
  return written;
}

function reasonOf(violations: readonly Violation[]): string {
  const shown = violations
    .slice(0, maxViolations)
    .map(({ path, message }) => `${path === '' ? 'data' : path}: ${message}`);
  return shown.join('; ');
}

async function writeRecords(
  type: RecordType,
  lines: readonly Line[],
  refusals: ImportRefusal[],
  deps: BuiltinParts,
): Promise<Line[]> {
  const good: { line: Line; record: AnyRecord }[] = [];
  const given = lines.map(({ data }) => data);
  const data = type === 'product' ? await withTerms(given, deps) : given;
  for (const [index, line] of lines.entries()) {
    const checked = checkedRecord(type, undefined, line.id, data[index] ?? line.data);
    if (checked.ok) good.push({ line, record: checked.record });
    else refusals.push({ line: line.line, reason: reasonOf(checked.violations) });
  }
  const records = good.map(({ record }) => record);
  await putRecords(type, records, deps);
  return good.map(({ line }) => line);
}

async function writeOrderLines(
  lines: readonly Line[],
  { cause, events }: Input,
  refusals: ImportRefusal[],
  deps: BuiltinParts,
): Promise<Line[]> {
  if (lines.length === 0) return [];
  const orders = lines.map(({ id, data }) => ({ id: Number(id), fields: data }));
  const prepared = await prepareOrders(orders, deps);
  const good = lines.filter(({ line, id }) => {
    const violations = prepared.refused.get(Number(id));
    if (violations) refusals.push({ line, reason: reasonOf(violations) });
    return !violations;
  });
  await writeOrders(prepared, { cause, source: 'api', events }, deps);
  return good;
}

/** What the log says of an import that is done. */
function importEntry(progress: ImportProgress, cause: Cause, now: number): NewAuditEntry {
  const { id, lines, imported, refused, imported_by_type, started_at } = progress;
  const byType = imported_by_type.map(({ type, count }) => `${type}: ${count}`).join(', ');
  const refusedText = refused === 1 ? '1 line was refused' : `${refused === 0 ? 'no' : refused} lines were refused`;
  return auditEntry({
    uid: derivedId('shop_imported', id, started_at),
    timestamp: isoTime(now),
    status: refused === 0 ? 'success' : 'warning',
    event_type: 'shop_imported',
    source: 'api',
    summary: `${cause.author} imported a file of ${counted(lines, 'line')} into the shop (${byType || 'nothing was imported'}); ${refusedText}.`,
    process_id: cause.process_id,
    duration_ms: Math.max(0, now - Date.parse(started_at)),
    details: { user: cause.author, import_id: id, lines, imported, refused, imported_by_type },
  });
}
