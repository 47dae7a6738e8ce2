export { type EvaluationConfig, evaluationConfiguration } from './config';
export type { EvaluationDocument } from './evaluation-document';
export { evaluationIndexes } from './evaluations';
export { openRuleCache } from './rule-cache';
export { startEvaluation } from './service';
