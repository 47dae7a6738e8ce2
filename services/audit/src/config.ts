import { type ConfigOf, defineConfig, retentionConfiguration, secretKeyConfiguration } from '@order-automation/service';

export const auditConfiguration = defineConfig({ ...secretKeyConfiguration, ...retentionConfiguration });
export type AuditConfig = ConfigOf<typeof auditConfiguration>;
