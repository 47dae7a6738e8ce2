import type { Bus } from '@order-automation/bus';
import type {
  AuditEntry,
  AuditFilters,
  GroupedAuditEntry,
  NewAuditEntry,
  NewAuditRecord,
} from '@order-automation/contracts';
import { secret } from '@order-automation/service';
import { buildAuditEntry, type Lane, type LaneDeps } from '@order-automation/testing';
import { type AuditConfig, startAudit } from '../src';

/** What the tests' services are configured with. */
export const auditConfig: AuditConfig = { secretKey: secret([Buffer.alloc(32, 7)]), retention: 90 * 86_400_000 };

/** The service on a database of its own for each test; gives what it was started with. */
export function auditForEach(lane: Lane): () => LaneDeps {
  let deps: LaneDeps;
  let close: () => Promise<void>;
  beforeEach(async () => {
    deps = await lane.deps();
    close = (await startAudit(deps, auditConfig)).close;
  });
  afterEach(() => close());
  return () => deps;
}

export type Query = Partial<AuditFilters> & { view?: 'flat' | 'consolidated'; page?: number; per_page?: number };

/** The entries as the hand-over of each process. */
export function recordsOf(entries: readonly NewAuditEntry[]): NewAuditRecord[] {
  const ids = [...new Set(entries.map(({ process_id }) => process_id))];
  return ids.map((id) => ({
    uid: `evt_${id}`,
    process_id: id,
    entries: entries.filter(({ process_id }) => process_id === id),
  }));
}

export const record = (bus: Bus, entries: readonly NewAuditEntry[]) =>
  bus.request('audit.record.v2', { records: recordsOf(entries) }, { timeout: 20_000 });

/** The lists as the REST interface asks for them: neither debug nor test entries, unless it is said. */
export async function list(bus: Bus, { view = 'flat', page = 1, per_page = 20, ...filters }: Query = {}) {
  const input = { view, page, per_page, filters: { include_debug: false, include_test: false, ...filters } };
  const output = await bus.request('audit.entry.list.v1', input, { timeout: 20_000 });
  return { ...output, logs: output.logs as (AuditEntry & Partial<GroupedAuditEntry>)[] };
}

export const processView = async (bus: Bus, process_id: string) =>
  (await bus.request('audit.process.get.v1', { process_id, page: 1, per_page: 500 }, { timeout: 20_000 })).logs;

const start = Date.parse('2026-02-01T00:00:00.000Z');
let moment = 0;

/** Entries of one process: reception, a rule that matched, its action, the outcome; each a second later than the one before. */
export function story(process: string, overrides: Partial<NewAuditEntry> = {}): NewAuditEntry[] {
  const steps: Partial<NewAuditEntry>[] = [
    { event_type: 'webhook_received', source: 'webhook', rule_id: null },
    { event_type: 'rule_evaluation', rule_id: 7 },
    { event_type: 'action_executed', rule_id: 7 },
    { event_type: 'process_completed', rule_id: null },
  ];
  return steps.map((step, index) => {
    moment += 1;
    const timestamp = new Date(start + moment * 1000).toISOString();
    return buildAuditEntry({ uid: `evt_${process}:${index}`, process_id: process, timestamp, ...step, ...overrides });
  });
}
