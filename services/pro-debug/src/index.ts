export * from './config';
export { type TestRunDocument, testRunIndexes } from './rule-tests/test-runs';
export { startProDebug } from './service';
