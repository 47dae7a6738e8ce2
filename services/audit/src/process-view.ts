import { paginate, type RequestInput, type RequestOutput, ServiceError } from '@order-automation/contracts';
import type { Entries } from './entries';
import { entryOf } from './entry';
import { inOrder, parentOf } from './process-row';
import type { Processes } from './processes';

type Deps = { readonly entries: Entries; readonly processes: Processes };

/** A page of the entries of one process, in the order of what happened (section 4.2 of the specification). */
export async function processView(
  { process_id, page, per_page }: RequestInput<'audit.process.get.v1'>,
  { entries, processes }: Deps,
): Promise<RequestOutput<'audit.process.get.v1'>> {
  const all = inOrder((await entries.factsOf([process_id])).get(process_id) ?? []);
  if (all.length === 0)
    throw new ServiceError(404, 'svc_process_not_found', 'There is no process of this id in the log.');
  const row = (await processes.rows([process_id])).get(process_id);
  const shown = all.slice((page - 1) * per_page, page * per_page).map(({ _id }) => _id);
  const found = inOrder(await entries.byIds(shown));
  return {
    logs: found.map((entry) => entryOf(entry, parentOf(entry, row))),
    pagination: paginate(all.length, page, per_page),
  };
}
