import type { Bus } from '@order-automation/bus';
import {
  type AuditEntry,
  type AuditFilters,
  type DeliveryFilter,
  type EventFilter,
  type SenderSecret,
  ServiceError,
} from '@order-automation/contracts';

export type LogReader = ReturnType<typeof logReader>;

const perPage = 500;
/** Entries of one process that are read: more than its explanation needs. */
const maxEntries = 10_000;

/** All that debugging can do with what happened: read it. */
export function logReader(bus: Pick<Bus, 'request'>) {
  return {
    /** Oldest first; 404 `svc_process_not_found`. */
    process: async (process_id: string): Promise<readonly AuditEntry[]> => {
      const all: AuditEntry[] = [];
      for (let page = 1; all.length < maxEntries; page += 1) {
        const { logs, pagination } = await bus.request('audit.process.get.v1', { process_id, page, per_page: perPage });
        all.push(...logs);
        if (!pagination.has_next) break;
      }
      return all;
    },
    /** The newest first, at most `limit`, and how many there are. */
    entries: async (filters: Partial<AuditFilters>, limit: number) => {
      const { logs, pagination } = await bus.request('audit.entry.list.v1', {
        view: 'flat',
        page: 1,
        per_page: limit,
        filters: { include_debug: false, include_test: false, ...filters },
      });
      return { found: logs, total: pagination.total };
    },
    events: async (filter: EventFilter, limit: number) =>
      (await bus.request('intake.event.list.v1', { filter, page: 1, per_page: limit })).events,
    deliveries: async (filter: DeliveryFilter, limit: number) =>
      (await bus.request('evaluation.delivery.list.v1', { filter, page: 1, per_page: limit })).deliveries,
    /** Of a gateway or a connection; none where there is neither of this name. */
    secrets: async (gateway: string): Promise<readonly SenderSecret[]> => {
      try {
        return (await bus.request('intake.secret.list.v1', { gateway, connections: true })).secrets;
      } catch (error) {
        if (error instanceof ServiceError && error.status === 404) return [];
        throw error;
      }
    },
  };
}
