export { type EvaluationConfig, evaluationConfiguration } from './config';
export { type EvaluationDocument, evaluationIndexes } from './evaluations';
export { startEvaluation } from './service';
