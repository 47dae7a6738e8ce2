import type { Licence } from '../licence';
import { applicationPasswordRoutes } from './application-passwords';
import { auditLogRoutes } from './audit-log';
import { componentRoutes } from './components';
import { debugRoutes } from './debug';
import type { Edge } from './edge';
import { healthRoutes } from './health';
import { licenceRoutes } from './licence';
import type { Route } from './route';
import { ruleDataRoutes } from './rule-data';
import { rulesRoutes } from './rules';
import { type SessionEdge, sessionRoutes } from './session';
import { shopRoutes } from './shop';

/** Every route of the public port, resource by resource. */
export function routes(edge: Edge & SessionEdge & { readonly licence: Licence }): readonly Route[] {
  return [
    ...componentRoutes(edge),
    ...ruleDataRoutes(edge),
    ...rulesRoutes(edge),
    ...auditLogRoutes(edge),
    ...healthRoutes(edge),
    ...shopRoutes(edge),
    ...sessionRoutes(edge),
    ...applicationPasswordRoutes(edge),
    ...debugRoutes(edge),
    ...licenceRoutes(edge.licence),
  ];
}
