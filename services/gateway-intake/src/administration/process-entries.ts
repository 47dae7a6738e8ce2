import type { Bus } from '@order-automation/bus';
import { type AuditEntry, ServiceError } from '@order-automation/contracts';

const maxEntries = 200;

/** What the log says of a process, oldest first; nothing when it says nothing yet. */
export async function entriesOfProcess(bus: Bus, processId: string): Promise<AuditEntry[]> {
  try {
    return (await bus.request('audit.process.get.v1', { process_id: processId, page: 1, per_page: maxEntries })).logs;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return [];
    throw error;
  }
}
