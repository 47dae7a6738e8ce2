import { countOf } from '@order-automation/service';
import type { Documents } from '@order-automation/store';
import type { LogRecord } from './log-record';
import { within } from './record-queries';

const idAlone = { projection: { _id: 1 } } as const;

/** Records whose causes one query asks for: it looks at every pair of both lists. */
const causesAtOnce = 64;

/** Of records that a walk along the ids has found, those that every other index leads to. */
export async function reachedByIndexes(
  documents: Documents<LogRecord>,
  found: readonly LogRecord[],
): Promise<ReadonlySet<number>> {
  const ids = found.map(({ _id }) => _id);
  const byIds = documents.find({ _id: { $in: ids } }, idAlone).toArray();
  const foundByIndex = await Promise.all([byIds, byCauses(documents, found), byTerms(documents, found)]);
  const [first = new Set<number>(), ...others] = foundByIndex.map((some) => new Set(some.map(({ _id }) => _id)));
  return new Set([...first].filter((id) => others.every((some) => some.has(id))));
}

type Found = Pick<LogRecord, '_id'>;

async function byCauses(documents: Documents<LogRecord>, found: readonly LogRecord[]): Promise<readonly Found[]> {
  const starts = found.flatMap((_, at) => (at % causesAtOnce === 0 ? [at] : []));
  const portions = starts.map(async (start) => {
    const some = found.slice(start, start + causesAtOnce);
    const each = (field: 'process_id' | 'uid') => ({ $in: [...new Set(some.map((one) => one[field]))] });
    return documents.find({ process_id: each('process_id'), uid: each('uid') }, idAlone).toArray();
  });
  return (await Promise.all(portions)).flat();
}

/** Words of several records are asked for once, then each record's own: asking for all of them record by record takes longer as the log grows. */
async function byTerms(documents: Documents<LogRecord>, found: readonly LogRecord[]): Promise<readonly Found[]> {
  const counts = [...countOf(found.flatMap(({ terms }) => terms))];
  const shared = counts.flatMap(([term, count]) => (count > 2 ? [term] : []));
  const having = async (terms: readonly string[], records: readonly LogRecord[]): Promise<readonly LogRecord[]> => {
    if (terms.length === 0) return records;
    const ids = records.map(({ _id }) => _id);
    const range = { from: Math.min(...ids), below: Math.max(...ids) + 1 };
    const have = documents.find(within(range, { terms: { $all: [...terms] } }), idAlone);
    const known = new Set((await have.toArray()).map(({ _id }) => _id));
    return records.filter(({ _id }) => known.has(_id));
  };
  const lists = await Promise.all(shared.map((term) => having([term], found)));
  const idsOf = new Map(shared.map((term, at) => [term, new Set(lists[at]?.map(({ _id }) => _id))]));
  const each = found.map(async (one): Promise<readonly Found[]> => {
    if (!one.terms.every((term) => idsOf.get(term)?.has(one._id) ?? true)) return [];
    const own = one.terms.filter((term) => !idsOf.has(term));
    return having(own, [one]);
  });
  return (await Promise.all(each)).flat();
}
