import type { NewAuditEntry, NewAuditRecord } from '@order-automation/contracts';

/** The entries of records that are handed to audit, each with its process. */
export const entriesOfRecords = (records: readonly NewAuditRecord[]): NewAuditEntry[] =>
  records.flatMap(({ process_id, entries }) => entries.map((entry) => ({ ...entry, process_id })));
