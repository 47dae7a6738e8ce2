import type { Entry } from '../records/entry';
import { entriesOf, type LogRecord } from '../records/log-record';
import type { IdRange, Wanted } from '../records/record-queries';
import type { Records } from '../records/records';
import { matches, mayBeBroad, type Selection, walksOf } from './selection';

type Reader = Pick<Records, 'walk'>;

/** Records read at first and at most in one step. */
const firstStep = 16;
const maxStep = 256;
/** The whole log is walked while one record in so many has something that is selected. */
const density = 4;

/** The entries of a range of records that are selected, the newest first, in batches that may be empty. */
async function* walk(selection: Selection, { from, below }: IdRange, records: Reader): AsyncGenerator<Entry[]> {
  const walks = walksOf(selection);
  let last = below;
  if (walks.length > 0 && mayBeBroad(selection)) {
    // A walk along the ids costs less than one behind terms that most records have, or several that find the same records.
    let isSparse = false;
    for await (const found of inSteps({}, { from, below }, records)) {
      yield found.flatMap((record) => selectedOf(record, selection));
      last = found.at(-1)?._id;
      const withFacets = found.filter((record) => entriesOf(record).some(({ facet }) => selection.facets.has(facet)));
      isSparse = withFacets.length * density < found.length;
      if (isSparse) break;
    }
    if (!isSparse) return;
  }
  for await (const found of merged(walks, { from, below: last }, records))
    yield found.flatMap((record) => selectedOf(record, selection));
}

const selectedOf = (record: LogRecord, selection: Selection): Entry[] =>
  entriesOf(record)
    .filter((entry) => matches(entry, selection))
    .reverse();

/** The records of one walk, the newest first, in steps that grow; the last step is shorter than asked for, or empty. */
async function* inSteps(wanted: Wanted, { from, below }: IdRange, records: Reader): AsyncGenerator<LogRecord[]> {
  let last = below;
  for (let step = firstStep; ; step = Math.min(step * 2, maxStep)) {
    const found = await records.walk({ from, below: last }, wanted, step);
    yield found;
    if (found.length < step) return;
    last = found.at(-1)?._id;
  }
}

/** The records of several walks, the newest first, each once. */
async function* merged(walks: readonly Wanted[], range: IdRange, records: Reader): AsyncGenerator<LogRecord[]> {
  const [only] = walks;
  if (only && walks.length === 1) return yield* inSteps(only, range, records);
  const open = walks.map((wanted) => ({ steps: inSteps(wanted, range, records), found: [] as LogRecord[], at: 0 }));
  let last = Number.POSITIVE_INFINITY;
  for (;;) {
    const drained = open.filter(({ found, at }) => at === found.length);
    for (const { one, step } of await Promise.all(
      drained.map(async (one) => ({ one, step: await one.steps.next() })),
    )) {
      if (step.done || step.value.length === 0) open.splice(open.indexOf(one), 1);
      else Object.assign(one, { found: step.value, at: 0 });
    }
    if (open.length === 0) return;
    const batch: LogRecord[] = [];
    while (open.every(({ found, at }) => at < found.length)) {
      const next = open.reduce((a, b) => (idAt(b) > idAt(a) ? b : a));
      const record = next.found[next.at] as LogRecord;
      next.at += 1;
      if (record._id < last) batch.push(record);
      last = record._id;
    }
    yield batch;
  }
}

const idAt = ({ found, at }: { readonly found: readonly LogRecord[]; readonly at: number }): number =>
  found[at]?._id ?? Number.NEGATIVE_INFINITY;

/** The entries that are selected in these ranges, the newest first; of records below an id alone. */
export async function* walkRanges(
  selection: Selection,
  ranges: readonly IdRange[],
  records: Reader,
  below = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<Entry[]> {
  for (const range of ranges)
    if ((range.from ?? 0) < below)
      yield* walk(selection, { from: range.from, below: Math.min(range.below ?? below, below) }, records);
}

/** Where a page begins: after `skip` entries of records below an id. */
export type Position = { readonly below?: number; readonly skip: number };

export async function count(selection: Selection, range: IdRange, records: Reader): Promise<number> {
  let sum = 0;
  for await (const found of walk(selection, range, records)) sum += found.length;
  return sum;
}

/** `limit` of the entries that are selected, the newest first, from a position on. Nothing is looked for outside the ranges, the newest first. */
export async function take(
  selection: Selection,
  { below, skip }: Position,
  limit: number,
  records: Reader,
  ranges: readonly IdRange[],
): Promise<Entry[]> {
  const taken: Entry[] = [];
  for await (const found of walkRanges(selection, ranges, records, below)) {
    taken.push(...found);
    if (taken.length >= skip + limit) break;
  }
  return taken.slice(skip, skip + limit);
}
