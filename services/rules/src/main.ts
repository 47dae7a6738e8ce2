import { run } from '@order-automation/service';
import { rulesConfiguration, startRules } from './index';

void run({ name: 'rules', config: rulesConfiguration, start: startRules });
