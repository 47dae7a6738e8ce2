import { auditEntry, type NewAuditEntry, type NewAuditRecord } from '@order-automation/contracts';

type Notice = Pick<NewAuditEntry, 'process_id' | 'timestamp' | 'source' | 'summary' | 'details'>;

/** The record in which the log says that entries were removed from it. */
export function noticeOf(uid: string, notice: Notice, status: 'info' | 'warning' = 'warning'): NewAuditRecord {
  const { process_id } = notice;
  return { uid, process_id, entries: [auditEntry({ ...notice, uid, status, event_type: 'audit_deleted' })] };
}
