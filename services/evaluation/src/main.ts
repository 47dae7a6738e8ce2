import { run } from '@order-automation/service/run';
import { evaluationConfiguration, startEvaluation } from './index';

void run({ name: 'evaluation', config: evaluationConfiguration, start: startEvaluation });
