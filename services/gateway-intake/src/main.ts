import { run } from '@order-automation/service';
import { intakeConfiguration, startIntake } from './index';

void run({ name: 'gateway-intake', config: intakeConfiguration, start: startIntake });
