export { evaluationIndexes } from './attempts/evaluations';
export { type EvaluationConfig, evaluationConfiguration } from './config';
export { openRuleCache } from './deciding/rule-cache';
export type { EvaluationDocument } from './evaluation-document';
export { startEvaluation } from './service';
