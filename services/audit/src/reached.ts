import { countOf } from '@order-automation/service';
import type { Documents } from '@order-automation/store';
import type { LogRecord } from './log-record';
import { recordQueries } from './record-queries';

const idAlone = { projection: { _id: 1 } } as const;

/** Records whose causes one query asks for: a database may look at every pair of two lists (FerretDB took 13 GB for those of 5,000 records). */
const causesAtOnce = 64;

/** Of records that a walk along the ids has found, those that every other index leads to. */
export async function reachedByIndexes(
  documents: Documents<LogRecord>,
  found: readonly LogRecord[],
  longFrom = longLog,
): Promise<ReadonlySet<number>> {
  const ids = found.map(({ _id }) => _id);
  const byIds = documents.find(recordQueries.byIds(ids), idAlone).toArray();
  const foundByIndex = await Promise.all([byIds, byCauses(documents, found), byTerms(documents, found, longFrom)]);
  const [first = new Set<number>(), ...others] = foundByIndex.map((some) => new Set(some.map(({ _id }) => _id)));
  return new Set([...first].filter((id) => others.every((some) => some.has(id))));
}

async function byCauses(documents: Documents<LogRecord>, found: readonly LogRecord[]): Promise<readonly Found[]> {
  const starts = found.flatMap((_, at) => (at % causesAtOnce === 0 ? [at] : []));
  const portions = starts.map(async (start) => {
    const some = found.slice(start, start + causesAtOnce);
    const [processes, uids] = [new Set(some.map((one) => one.process_id)), new Set(some.map(({ uid }) => uid))];
    return documents.find(recordQueries.ofCauses([...processes], [...uids]), idAlone).toArray();
  });
  return (await Promise.all(portions)).flat();
}

type Found = Pick<LogRecord, '_id'>;

/** From so many ids on a list of a common word is long: asking for it once is worth further questions. */
const longLog = 50_000;

/** Words that several records have are asked for together, or once each: asking for them record by record takes a time that grows with the log. */
function byTerms(documents: Documents<LogRecord>, found: readonly LogRecord[], longFrom: number) {
  const counts = countOf(found.flatMap(({ terms }) => terms));
  const isShared = (term: string): boolean => (counts.get(term) ?? 0) > 2;
  const having = async (terms: readonly string[], records: readonly LogRecord[]): Promise<readonly LogRecord[]> => {
    if (terms.length === 0) return records;
    const ids = records.map(({ _id }) => _id);
    const range = { from: Math.min(...ids), below: Math.max(...ids) + 1 };
    const have = documents.find(recordQueries.within(range, { terms: { $all: [...terms] } }), idAlone);
    const known = new Set((await have.toArray()).map(({ _id }) => _id));
    return records.filter(({ _id }) => known.has(_id));
  };
  const isLong = found.some(({ _id }) => _id > longFrom);
  return isLong ? byEachTerm(found, [...counts.keys()].filter(isShared), having) : byGroups(found, isShared, having);
}

type Having = (terms: readonly string[], records: readonly LogRecord[]) => Promise<readonly LogRecord[]>;

/** Each common word once, and then the words of each record that are its own. */
async function byEachTerm(found: readonly LogRecord[], shared: readonly string[], having: Having) {
  const lists = await Promise.all(shared.map((term) => having([term], found)));
  const idsOf = new Map(shared.map((term, at) => [term, new Set(lists[at]?.map(({ _id }) => _id))]));
  const each = found.map(async (one): Promise<readonly Found[]> => {
    if (!one.terms.every((term) => idsOf.get(term)?.has(one._id) ?? true)) return [];
    const own = one.terms.filter((term) => !idsOf.has(term));
    return having(own, [one]);
  });
  return (await Promise.all(each)).flat();
}

/** The common words of all records that have the same ones, and then the words of each that are its own. */
async function byGroups(found: readonly LogRecord[], isShared: (term: string) => boolean, having: Having) {
  const alike = new Map<string, { readonly shared: readonly string[]; readonly records: LogRecord[] }>();
  for (const record of found) {
    const shared = record.terms.filter(isShared).sort();
    const key = shared.join('\n');
    const group = alike.get(key) ?? { shared, records: [] };
    group.records.push(record);
    alike.set(key, group);
  }
  const groups = [...alike.values()].map(async ({ shared, records }): Promise<readonly Found[]> => {
    const some = await having(shared, records);
    const each = some.map((one) =>
      having(
        one.terms.filter((term) => !isShared(term)),
        [one],
      ),
    );
    return (await Promise.all(each)).flat();
  });
  return (await Promise.all(groups)).flat();
}
