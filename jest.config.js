const lane = (name, testMatch, extra = {}) => ({
  displayName: name,
  testMatch,
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' }, sourceMaps: 'inline' },
    ],
  },
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  ...extra,
});

/** Three lanes by suffix: unit (pure, beside the subject), int (real servers where there are any), e2e (whole stories over HTTP). */
module.exports = {
  projects: [
    lane('unit', ['<rootDir>/{shared,services}/*/src/**/*.test.ts']),
    lane('int', ['<rootDir>/{shared,services}/*/test/**/*.int.test.ts']),
    lane('e2e', ['<rootDir>/{shared,services}/*/test/**/*.e2e.test.ts']),
  ],
  testTimeout: 30_000,
};
