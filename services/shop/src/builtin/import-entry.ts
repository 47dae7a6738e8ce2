import {
  auditEntry,
  type Cause,
  derivedId,
  type ImportProgress,
  isoTime,
  type NewAuditEntry,
} from '@order-automation/contracts';

type Finished = Pick<ImportProgress, 'id' | 'lines' | 'imported' | 'refused' | 'imported_by_type' | 'started_at'>;

/** What the log says of an import that is done. */
export function importEntry(progress: Finished, cause: Cause, now: number): NewAuditEntry {
  const { id, lines, imported, refused, imported_by_type, started_at } = progress;
  const byType = imported_by_type.map(({ type, count }) => `${type} ${count}`).join(', ');
  const counted = byType === '' ? 'nothing was imported' : `imported ${byType}`;
  return auditEntry({
    uid: derivedId('shop_imported', id, started_at),
    timestamp: isoTime(now),
    status: refused === 0 ? 'success' : 'warning',
    event_type: 'shop_imported',
    source: 'api',
    summary: `${cause.author} imported a file of ${lines} lines into the shop: ${counted}; refused lines: ${refused}.`,
    process_id: cause.process_id,
    duration_ms: Math.max(0, now - Date.parse(started_at)),
    details: { user: cause.author, import_id: id, lines, imported, refused, imported_by_type },
  });
}
