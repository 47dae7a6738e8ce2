import { run } from '@order-automation/service';
import { proDebugConfig, startProDebug } from './index';

void run({ name: 'pro-debug', config: proDebugConfig, start: startProDebug });
