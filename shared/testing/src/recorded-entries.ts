import type { NewAuditEntry, NewAuditRecord } from '@order-automation/contracts';

/** The entries of records that are handed to audit, each with its process. */
export function entriesOfRecords(records: readonly NewAuditRecord[]): NewAuditEntry[] {
  return records.flatMap(({ process_id, entries }) => entries.map((entry) => ({ ...entry, process_id })));
}
