export { type EvaluationConfig, evaluationConfig } from './config';
export { type EvaluationDocument, evaluationIndexes } from './evaluations';
export { startEvaluation } from './service';
