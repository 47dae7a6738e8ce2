import { run } from '@order-automation/service/run';
import { rulesConfiguration, startRules } from './index';

void run({ name: 'rules', config: rulesConfiguration, start: startRules });
