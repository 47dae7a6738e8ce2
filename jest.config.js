const typescript = [
  '@swc/jest',
  { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' }, sourceMaps: 'inline' },
];

const project = (name, testMatch, extra = {}) => ({
  displayName: name,
  testMatch,
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/.*/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  // jose, parse5 and entities are published as ES modules alone; what `source` names in eventsource-parser is TypeScript. MongoDB's driver imports `os` when it
  // says what it is, which jest cannot: it would say nothing, and MongoDB refuses such a client ("Missing required sub-document 'driver'").
  transform: {
    '^.+\\.ts$': typescript,
    '/node_modules/(jose|parse5|entities|mongodb/lib/runtime_adapters).*\\.js$': typescript,
    '^.+\\.mjs$': typescript,
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(jose|parse5|entities|eventsource-parser)/|mongodb/lib/runtime_adapters)',
  ],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  testEnvironment: '<rootDir>/jest-environment.js',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  ...extra,
});

const lanes = {
  globalSetup: '<rootDir>/shared/testing/test/set-up.ts',
  globalTeardown: '<rootDir>/shared/testing/test/tear-down.ts',
};

/**
 * Three projects by suffix: unit (pure, beside the subject), int (real servers where there are any), e2e (whole stories over HTTP, on the built
 * programs).
 */
module.exports = {
  projects: [
    project('unit', [
      '<rootDir>/{shared,services}/*/src/**/*.test.ts',
      '<rootDir>/shared/testing/test/{builders,resolve-lanes,wait-for}.test.ts',
      '<rootDir>/docs/site/*.test.ts',
      '<rootDir>/*.test.ts',
    ]),
    project('int', ['<rootDir>/{shared,services}/*/test/**/*.int.test.ts'], lanes),
    project('e2e', ['<rootDir>/{shared,services}/*/test/**/*.e2e.test.ts'], {
      ...lanes,
      globalSetup: '<rootDir>/shared/testing/test/set-up-e2e.ts',
    }),
  ],
  maxWorkers: 2,
  testSequencer: '<rootDir>/jest-sequencer.js',
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/jest-summary.js'],
};
