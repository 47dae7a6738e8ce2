import { applicationPasswordRoutes } from './application-passwords';
import { auditEntryRoutes } from './audit-entries';
import { auditLogRoutes } from './audit-log';
import { auditProofRoutes } from './audit-proof';
import { auditSavedFilterRoutes } from './audit-saved-filters';
import { auditStreamRoutes } from './audit-streams';
import { auditUpkeepRoutes } from './audit-upkeep';
import { componentRoutes } from './components';
import { debugRoutes } from './debug';
import { documentationRoutes } from './documentation';
import { healthRoutes } from './health';
import { licenceRoutes } from './licence';
import { ownAccountRoutes } from './own-account';
import { ruleDataRoutes } from './rule-data';
import { rulesRoutes } from './rules';
import { ruleBookRoutes } from './rules-book';
import { ruleFileRoutes } from './rules-files';
import { ruleHistoryRoutes } from './rules-history';
import { searchContentRoutes } from './search-content';
import { secretRoutes } from './secrets';
import { sessionRoutes } from './session';
import { shopRoutes } from './shop';
import { shopImportRoutes } from './shop-import';
import { shopRecordRoutes } from './shop-records';
import { shopRefundRoutes } from './shop-refunds';
import { tokenRoutes } from './token';
import { userRoutes } from './users';
import { webhookConnectionRoutes } from './webhook-connections';
import { webhookEventRoutes } from './webhook-events';
import { webhookGatewayRoutes } from './webhook-gateways';
import { webhookRoutes } from './webhooks';

/** Every route of the public port. Where two match a path, the first one answers. */
export const table = [
  ...componentRoutes,
  ...searchContentRoutes,
  ...ruleDataRoutes,
  ...ruleBookRoutes,
  ...ruleFileRoutes,
  ...ruleHistoryRoutes,
  ...rulesRoutes,
  ...auditLogRoutes,
  ...auditEntryRoutes,
  ...auditProofRoutes,
  ...auditSavedFilterRoutes,
  ...auditStreamRoutes,
  ...auditUpkeepRoutes,
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
  ...licenceRoutes,
  ...webhookGatewayRoutes,
  ...webhookEventRoutes,
  ...webhookConnectionRoutes,
  ...webhookRoutes,
  ...documentationRoutes,
] as const;
