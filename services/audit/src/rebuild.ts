import { isDeepStrictEqual } from 'node:util';
import { type ProcessRow, withEntries } from './process-row';
import type { Processes } from './processes';
import type { Records } from './records';

export type RebuildDeps = { readonly records: Records; readonly processes: Processes };

const maxTries = 100;

/**
 * Makes the rows of these processes say what their entries say, also while others write. A process without entries loses
 * its row. Resolves with the ids of those whose row was wrong.
 */
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
