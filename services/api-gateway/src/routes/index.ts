import { applicationPasswordRoutes } from './accounts/application-passwords';
import { ownAccountRoutes } from './accounts/own-account';
import { sessionRoutes } from './accounts/session';
import { tokenRoutes } from './accounts/token';
import { userRoutes } from './accounts/users';
import { auditEntryRoutes } from './audit-log/audit-entries';
import { auditLogRoutes } from './audit-log/audit-log';
import { auditMaintenanceRoutes } from './audit-log/audit-maintenance';
import { auditProofRoutes } from './audit-log/audit-proof';
import { auditSavedFilterRoutes } from './audit-log/audit-saved-filters';
import { auditStreamRoutes } from './audit-log/audit-streams';
import { deadLetterRoutes } from './deliveries/dead-letters';
import { deliveryRoutes } from './deliveries/deliveries';
import { consoleRoutes } from './installation/console';
import { documentationRoutes } from './installation/documentation';
import { healthRoutes } from './installation/health';
import { licenceRoutes } from './installation/licence';
import { notificationRoutes } from './installation/notifications';
import { overviewRoutes } from './installation/overview';
import { backtestRoutes } from './rules/backtests';
import { componentRoutes } from './rules/components';
import { debugRoutes } from './rules/debug';
import { ruleDataRoutes } from './rules/rule-data';
import { ruleSetRoutes } from './rules/rule-set';
import { rulesRoutes } from './rules/rules';
import { ruleFileRoutes } from './rules/rules-files';
import { ruleHistoryRoutes } from './rules/rules-history';
import { searchContentRoutes } from './rules/search-content';
import { secretRoutes } from './rules/secrets';
import { shopRoutes } from './shop/shop';
import { shopImportRoutes } from './shop/shop-import';
import { shopRecordRoutes } from './shop/shop-records';
import { shopRefundRoutes } from './shop/shop-refunds';
import { gatewaySecretRoutes } from './webhooks/gateway-secrets';
import { webhookConnectionRoutes } from './webhooks/webhook-connections';
import { webhookEventRoutes } from './webhooks/webhook-events';
import { webhookGatewayRoutes } from './webhooks/webhook-gateways';
import { webhookRoutes } from './webhooks/webhooks';

/** Every route of the public port. Where two match a path, the first one answers. */
export const table = [
  ...componentRoutes,
  ...searchContentRoutes,
  ...ruleDataRoutes,
  ...ruleSetRoutes,
  ...ruleFileRoutes,
  ...ruleHistoryRoutes,
  ...rulesRoutes,
  ...auditLogRoutes,
  ...auditEntryRoutes,
  ...auditProofRoutes,
  ...auditSavedFilterRoutes,
  ...auditStreamRoutes,
  ...auditMaintenanceRoutes,
  ...healthRoutes,
  ...shopRoutes,
  ...shopRefundRoutes,
  ...shopImportRoutes,
  ...shopRecordRoutes,
  ...secretRoutes,
  ...sessionRoutes,
  ...ownAccountRoutes,
  ...applicationPasswordRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...debugRoutes,
  ...backtestRoutes,
  ...licenceRoutes,
  ...notificationRoutes,
  ...overviewRoutes,
  ...webhookGatewayRoutes,
  ...gatewaySecretRoutes,
  ...webhookEventRoutes,
  ...deadLetterRoutes,
  ...deliveryRoutes,
  ...webhookConnectionRoutes,
  ...webhookRoutes,
  ...documentationRoutes,
  ...consoleRoutes,
] as const;
