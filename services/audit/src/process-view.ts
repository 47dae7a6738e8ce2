import { type Answer, paginate, ServiceError } from '@order-automation/contracts';
import { entryOf } from './entry';
import type { Log } from './log';
import { inOrder, parentOf } from './process-row';

/** A page of the entries of one process, in the order of what happened (section 4.2 of the specification). */
export const processView: Answer<'audit.process.get.v1', Log> = async (
  { process_id, page, per_page },
  { records, processes },
) => {
  const all = inOrder(await records.ofProcesses([process_id]));
  if (all.length === 0)
    throw new ServiceError(404, 'svc_process_not_found', 'There is no process of this id in the log.');
  const row = (await processes.rows([process_id])).get(process_id);
  const shown = all.slice((page - 1) * per_page, page * per_page);
  return {
    logs: shown.map((entry) => entryOf(entry, parentOf(entry, row))),
    pagination: paginate(all.length, page, per_page),
  };
};
