import { type Cause, derivedId, type ImportProgress, isoTime, type NewAuditEntry } from '@order-automation/contracts';

type Finished = Pick<ImportProgress, 'id' | 'lines' | 'imported' | 'refused' | 'imported_by_type' | 'started_at'>;

/** What the log says of an import that is done. */
export function importEntry(progress: Finished, cause: Cause, now: number): NewAuditEntry {
  const { id, lines, imported, refused, imported_by_type, started_at } = progress;
  const byType = imported_by_type.map(({ type, count }) => `${type} ${count}`).join(', ');
  const counted = byType === '' ? 'nothing was imported' : `imported ${byType}`;
  return {
    uid: derivedId('shop_imported', id, started_at),
    timestamp: isoTime(now),
    status: refused === 0 ? 'success' : 'warning',
    event_type: 'shop_imported',
    source: 'api',
    summary: `${cause.author} imported a file of ${lines} lines into the shop: ${counted}; refused lines: ${refused}.`,
    order_id: null,
    process_id: cause.process_id,
    rule_id: null,
    duration_ms: Math.max(0, now - Date.parse(started_at)),
    is_test: false,
    is_debug: false,
    details: { user: cause.author, import_id: id, lines, imported, refused, imported_by_type },
  };
}
