import { run } from '@order-automation/service';
import { evaluationConfig, startEvaluation } from './index';

void run({ name: 'evaluation', config: evaluationConfig, start: startEvaluation });
