import { type ConfigOf, defineConfig, duration, secretKeyConfiguration } from '@order-automation/service';

export const auditConfiguration = defineConfig({
  ...secretKeyConfiguration,
  retention: {
    env: 'AUDIT_RETENTION',
    schema: duration.default(90 * 86_400_000),
    description: 'How long entries of the log are kept; older ones are removed once an hour, and the log says so',
    example: '365d',
    defaultText: '90d',
  },
});
export type AuditConfig = ConfigOf<typeof auditConfiguration>;
