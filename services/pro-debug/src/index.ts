export * from './config';
export { startProDebug } from './service';
export { oldRunsFilter, type TestRunDocument, testRunIndexes } from './test-runs';
