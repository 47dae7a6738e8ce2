import { run } from '@order-automation/service/run';
import { intakeConfiguration, startIntake } from './index';

void run({ name: 'gateway-intake', config: intakeConfiguration, start: startIntake });
