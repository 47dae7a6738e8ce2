export { type AuditConfig, auditConfiguration } from './config';
export { startAudit } from './service';
