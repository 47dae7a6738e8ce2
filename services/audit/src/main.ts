import { run } from '@order-automation/service/run';
import { auditConfiguration, startAudit } from './index';

void run({ name: 'audit', config: auditConfiguration, start: startAudit });
