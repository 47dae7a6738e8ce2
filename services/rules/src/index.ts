export * from './config';
export { type RuleDocument, ruleIndexes } from './rule-documents';
export { type RuleVersionDocument, ruleVersionIndexes } from './rule-versions';
export { startRules } from './service';
