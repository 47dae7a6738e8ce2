import { run } from '@order-automation/service/run';
import { apiGatewayConfiguration, startApiGateway } from './index';

void run({ name: 'api-gateway', config: apiGatewayConfiguration, start: startApiGateway });
