import './node-version';
import { auditConfiguration, startAudit } from '@order-automation/audit';
import { evaluationConfiguration, startEvaluation } from '@order-automation/evaluation';
import { proDebugConfiguration, startProDebug } from '@order-automation/pro-debug';
import { rulesConfiguration, startRules } from '@order-automation/rules';
import { partOf, runTogether } from '@order-automation/service/run';
import { shopConfiguration, startShop } from '@order-automation/shop';

/** What follows the answer to a webhook, in one process of the distributed mode: the services of `workerServices` (docs/decisions/0020). */
void runTogether('worker', 'node services/run/dist/worker.js', [
  partOf({ name: 'shop', config: shopConfiguration, start: startShop }),
  partOf({ name: 'audit', config: auditConfiguration, start: startAudit }),
  partOf({ name: 'rules', config: rulesConfiguration, start: startRules }),
  partOf({ name: 'evaluation', config: evaluationConfiguration, start: startEvaluation }),
  partOf({ name: 'pro-debug', config: proDebugConfiguration, start: startProDebug }),
]);
