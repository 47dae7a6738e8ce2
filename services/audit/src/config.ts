import { type ConfigOf, defineConfig } from '@order-automation/service';

/** Audit has nothing of its own to configure. */
export const auditConfiguration = defineConfig({});
export type AuditConfig = ConfigOf<typeof auditConfiguration>;
