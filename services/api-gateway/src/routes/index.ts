import { ownAccountRoutes } from './accounts/own-account';
import { sessionRoutes, tokenRoutes } from './accounts/session';
import { userRoutes } from './accounts/users';
import { auditLogRoutes } from './audit-log/audit-log';
import { auditMaintenanceRoutes } from './audit-log/audit-maintenance';
import { auditSavedFilterRoutes } from './audit-log/audit-saved-filters';
import { auditStreamRoutes } from './audit-log/audit-streams';
import { receiptRoutes } from './audit-log/receipt';
import { deadLetterRoutes } from './deliveries/dead-letters';
import { deliveryRoutes } from './deliveries/deliveries';
import { consoleRoutes } from './installation/console';
import { firstStepRoutes } from './installation/first-steps';
import { documentationRoutes, healthRoutes, licenceRoutes, overviewRoutes } from './installation/installation';
import { moneyRoutes } from './installation/money';
import { notificationRoutes } from './installation/notifications';
import { arrivalOrderRoutes } from './rules/arrival-order';
import { backtestRoutes } from './rules/backtests';
import { debugRoutes } from './rules/debug';
import { ruleBuilderRoutes } from './rules/rule-builder';
import { ruleDataRoutes } from './rules/rule-data';
import { ruleSetRoutes } from './rules/rule-set';
import { rulesRoutes } from './rules/rules';
import { secretRoutes } from './rules/secrets';
import { shadowRoutes } from './rules/shadow';
import { shopRoutes } from './shop/shop';
import { shopConnectionRoutes } from './shop/shop-connection';
import { shopImportRoutes } from './shop/shop-import';
import { shopRecordRoutes } from './shop/shop-records';
import { readBodyRoutes } from './webhooks/read-body';
import { gatewaySecretRoutes, webhookConnectionRoutes } from './webhooks/webhook-connections';
import { webhookEventRoutes } from './webhooks/webhook-events';
import { webhookGatewayRoutes } from './webhooks/webhook-gateways';
import { webhookSourceRoutes } from './webhooks/webhook-sources';
import { webhookRoutes } from './webhooks/webhooks';

/** Every route of the public port. Where two match a path, the first one answers. */
export const table = [
  ...ruleBuilderRoutes,
  ...ruleDataRoutes,
  ...ruleSetRoutes,
  ...arrivalOrderRoutes,
  ...rulesRoutes,
  ...shadowRoutes,
  ...auditLogRoutes,
  ...auditSavedFilterRoutes,
  ...auditStreamRoutes,
  ...receiptRoutes,
  ...auditMaintenanceRoutes,
  ...healthRoutes,
  ...shopRoutes,
  ...shopConnectionRoutes,
  ...shopImportRoutes,
  ...shopRecordRoutes,
  ...secretRoutes,
  ...sessionRoutes,
  ...ownAccountRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...debugRoutes,
  ...backtestRoutes,
  ...licenceRoutes,
  ...notificationRoutes,
  ...overviewRoutes,
  ...moneyRoutes,
  ...firstStepRoutes,
  ...webhookGatewayRoutes,
  ...gatewaySecretRoutes,
  ...readBodyRoutes,
  ...webhookSourceRoutes,
  ...webhookEventRoutes,
  ...deadLetterRoutes,
  ...deliveryRoutes,
  ...webhookConnectionRoutes,
  ...webhookRoutes,
  ...documentationRoutes,
  ...consoleRoutes,
] as const;
