import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '@order-automation/contracts';
import { keepNewest } from '@order-automation/service';
import { type IndexDescription, insertNew, type Store } from '@order-automation/store';
import type { Records } from '../records/records';
import { type ProcessRow, type Visibility, withEntries } from './process-row';

const indexes: readonly IndexDescription[] = [{ name: 'timeline', key: { visibility: 1, started_at: -1, _id: -1 } }];

/** Processes that are remembered because they had a row before. */
const maxRepeated = 1_000;

const timelineSort = { started_at: -1, _id: -1 } as const;

export const processNotFound = () =>
  new ServiceError(404, 'svc_process_not_found', 'There is no process of this id in the log.');

/** Where a process stands in the consolidated view. */
export type ProcessStart = Pick<ProcessRow, '_id' | 'started_at'>;

export type Processes = Awaited<ReturnType<typeof openProcesses>>;

/** One document a process, by its id, so that a page of the consolidated view is an index walk. */
export async function openProcesses(store: Store) {
  const documents = await store.collection<ProcessRow>('processes', indexes);
  const rows = async (ids: readonly string[]): Promise<Map<string, ProcessRow>> => {
    const found = ids.length === 0 ? [] : await documents.find({ _id: { $in: ids } }).toArray();
    return new Map(found.map((row) => [row._id, row]));
  };
  const repeated = new Set<string>();
  return {
    documents,
    rows,
    /** Those that more was recorded of by this instance: their rows are worth reading first. */
    returning: (ids: readonly string[]): string[] => ids.filter((id) => repeated.has(id)),
    /** The latest first. */
    timeline: (visibility: Visibility, skip: number, limit: number): Promise<ProcessStart[]> =>
      documents
        .find({ visibility }, { projection: { _id: 1, started_at: 1 }, sort: timelineSort, skip, limit })
        .toArray(),
    /** Resolves with the ids of processes that have a row already. */
    insertNew: async (inserted: readonly ProcessRow[]): Promise<string[]> => {
      const known = (await insertNew(documents, inserted)).map((index) => (inserted[index] as ProcessRow)._id);
      for (const id of known) repeated.add(id);
      keepNewest(repeated, maxRepeated);
      return known;
    },
    /** Writes rows over the ones with the revision before theirs. Resolves with the ids of processes whose row somebody else has changed. */
    replace: async (changed: readonly ProcessRow[]): Promise<string[]> => {
      if (changed.length === 0) return [];
      const { matchedCount } = await documents.bulkWrite(
        changed.map(({ _id, ...replacement }) => ({
          replaceOne: { filter: { _id, revision: replacement.revision - 1 }, replacement },
        })),
        { ordered: false },
      );
      if (matchedCount === changed.length) return [];
      const now = await rows(changed.map(({ _id }) => _id));
      return changed.filter((row) => !isDeepStrictEqual(row, now.get(row._id))).map(({ _id }) => _id);
    },
    remove: async (ids: readonly string[]): Promise<void> => {
      if (ids.length > 0) await documents.deleteMany({ _id: { $in: ids } });
    },
  };
}

type RebuildDeps = { readonly records: Records; readonly processes: Processes };

const maxTries = 100;

/** Makes the rows of these processes say what their entries say, also while others write; one without entries goes. Resolves with the wrong ones' ids. */
export async function rebuildRows(ids: readonly string[], { records, processes }: RebuildDeps): Promise<string[]> {
  const wrong = new Set<string>();
  let open = ids;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === maxTries) throw new Error(`${open.length} processes changed ${maxTries} times during a rebuild`);
    const rows = await processes.rows(open);
    const facts = await records.byProcess(open);
    const [fresh, changed, empty]: [ProcessRow[], ProcessRow[], string[]] = [[], [], []];
    for (const id of open) {
      const [row, list] = [rows.get(id), facts.get(id) ?? []];
      if (list.length === 0) {
        if (row) empty.push(id);
        continue;
      }
      const wanted = { ...withEntries(undefined, list), revision: (row?.revision ?? 0) + 1 };
      if (!row) fresh.push(wanted);
      else if (!isDeepStrictEqual(wanted, { ...row, revision: wanted.revision })) changed.push(wanted);
    }
    for (const id of [...fresh, ...changed].map(({ _id }) => _id).concat(empty)) wrong.add(id);
    const known = fresh.length > 0 ? await processes.insertNew(fresh) : [];
    await processes.remove(empty);
    open = [...known, ...(await processes.replace(changed))];
  }
  return [...wrong];
}
