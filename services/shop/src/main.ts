import { run } from '@order-automation/service/run';
import { shopConfiguration, startShop } from './index';

void run({ name: 'shop', config: shopConfiguration, start: startShop });
