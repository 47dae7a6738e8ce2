import { run } from '@order-automation/service/run';
import { proDebugConfiguration, startProDebug } from './index';

void run({ name: 'pro-debug', config: proDebugConfiguration, start: startProDebug });
