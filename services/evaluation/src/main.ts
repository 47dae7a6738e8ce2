import { run } from '@order-automation/service';
import { evaluationConfiguration, startEvaluation } from './index';

void run({ name: 'evaluation', config: evaluationConfiguration, start: startEvaluation });
