export * from './compile-rule';
export * from './compile-rules';
export * from './component';
export * from './listing';
export * from './occurrence';
export { placeholderNames } from './placeholders';
export * from './registry';
export * from './validate-rule';
export { type RuleVerdict, suggestions, type VerdictError } from './verdict';
