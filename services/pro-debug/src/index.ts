export * from './config';
export { oldRunsFilter, type TestRunDocument, testRunIndexes } from './rule-tests/test-runs';
export { startProDebug } from './service';
