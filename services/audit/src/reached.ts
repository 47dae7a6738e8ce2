import { countOf } from '@order-automation/service';
import type { Documents } from '@order-automation/store';
import type { LogRecord } from './log-record';
import { type ClosedRange, recordQueries } from './record-queries';

const idAlone = { projection: { _id: 1 } } as const;

/** Records whose causes one query asks for: a database may look at every pair of two lists (FerretDB took 13 GB for those of 5,000 records). */
const causesAtOnce = 64;

/** Of records that a walk along the ids has found, those that every other index leads to. */
export async function reachedByIndexes(
  documents: Documents<LogRecord>,
  found: readonly LogRecord[],
): Promise<ReadonlySet<number>> {
  const ids = found.map(({ _id }) => _id);
  const byIds = documents.find(recordQueries.byIds(ids), idAlone).toArray();
  const foundByIndex = await Promise.all([byIds, byCauses(documents, found), byTerms(documents, found)]);
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

/**
 * A word that several records have is asked for once: its list is as long as the log, and asking for it record by record takes a time that grows with the log.
 */
async function byTerms(documents: Documents<LogRecord>, found: readonly LogRecord[]): Promise<readonly Found[]> {
  if (found.length === 0) return [];
  const counts = countOf(found.flatMap(({ terms }) => terms));
  const ids = found.map(({ _id }) => _id);
  const whole = { from: Math.min(...ids), below: Math.max(...ids) + 1 };
  const having = async (terms: readonly string[], range: ClosedRange): Promise<ReadonlySet<number>> => {
    const have = documents.find(recordQueries.within(range, { terms: { $all: [...terms] } }), idAlone);
    return new Set((await have.toArray()).map(({ _id }) => _id));
  };
  const shared = [...counts].flatMap(([term, count]) => (count > 2 ? [term] : []));
  const lists = await Promise.all(shared.map((term) => having([term], whole)));
  const listOf = new Map(shared.map((term, at) => [term, lists[at]]));
  const each = found.map(async (one): Promise<Found[]> => {
    const { _id, terms } = one;
    if (!terms.every((term) => listOf.get(term)?.has(_id) ?? !listOf.has(term))) return [];
    const own = terms.filter((term) => !listOf.has(term));
    return own.length === 0 || (await having(own, { from: _id, below: _id + 1 })).has(_id) ? [one] : [];
  });
  return (await Promise.all(each)).flat();
}
