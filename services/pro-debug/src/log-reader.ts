import type { Bus } from '@order-automation/bus';
import {
  type AuditEntry,
  type AuditFilters,
  type RequestInput,
  type RequestOutput,
  type SenderSecret,
  ServiceError,
} from '@order-automation/contracts';

type Filters = Partial<AuditFilters>;
type StoredEvents = RequestOutput<'intake.event.list.v1'>['events'];
type Deliveries = RequestOutput<'evaluation.delivery.list.v1'>['deliveries'];

/** All that debugging can do with what happened: read it. */
export type LogReader = {
  /** Oldest first; 404 `svc_process_not_found`. */
  process(id: string): Promise<readonly AuditEntry[]>;
  /** The newest first, at most `limit`, and how many there are. */
  entries(filters: Filters, limit: number): Promise<{ readonly found: readonly AuditEntry[]; readonly total: number }>;
  events(filter: RequestInput<'intake.event.list.v1'>['filter'], limit: number): Promise<StoredEvents>;
  deliveries(filter: RequestInput<'evaluation.delivery.list.v1'>['filter'], limit: number): Promise<Deliveries>;
  /** Of a gateway or a connection; none where there is neither of this name. */
  secrets(sender: string): Promise<readonly SenderSecret[]>;
};

const perPage = 500;
/** Entries of one process that are read: more than its explanation needs. */
const maxEntries = 10_000;

export function logReader(bus: Pick<Bus, 'request'>): LogReader {
  return {
    process: async (process_id) => {
      const all: AuditEntry[] = [];
      for (let page = 1; all.length < maxEntries; page += 1) {
        const { logs, pagination } = await bus.request('audit.process.get.v1', { process_id, page, per_page: perPage });
        all.push(...logs);
        if (!pagination.has_next) break;
      }
      return all;
    },
    entries: async (filters, limit) => {
      const { logs, pagination } = await bus.request('audit.entry.list.v1', {
        view: 'flat',
        page: 1,
        per_page: limit,
        filters: { include_debug: false, include_test: false, ...filters },
      });
      return { found: logs, total: pagination.total };
    },
    events: async (filter, limit) =>
      (await bus.request('intake.event.list.v1', { filter, page: 1, per_page: limit })).events,
    deliveries: async (filter, limit) =>
      (await bus.request('evaluation.delivery.list.v1', { filter, page: 1, per_page: limit })).deliveries,
    secrets: async (gateway) => {
      try {
        return (await bus.request('intake.secret.list.v1', { gateway, connections: true })).secrets;
      } catch (error) {
        if (error instanceof ServiceError && error.status === 404) return [];
        throw error;
      }
    },
  };
}
