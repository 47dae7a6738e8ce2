import { run } from '@order-automation/service';
import { rulesConfig, startRules } from './index';

void run({ name: 'rules', config: rulesConfig, start: startRules });
