const { countLanes, failuresOf, laneText } = require('./jest-summary.js') as {
  countLanes(suites: readonly object[]): Map<string, object>;
  failuresOf(suites: readonly object[], root: string): string[];
  laneText(entry: [string, object]): string;
};

const suite = (name: string, ...tests: [string, string[]][]) => ({
  displayName: { name },
  testResults: tests.map(([status, ancestorTitles]) => ({ status, ancestorTitles })),
});

test('tests are counted by project, or by the lane that a describe names', () => {
  const counts = countLanes([
    suite('unit', ['passed', []], ['failed', ['a']]),
    suite(
      'int',
      ['passed', ['audit [embedded]']],
      ['pending', ['audit [distributed] (skipped: no NATS_URL)', 'list']],
      ['todo', ['x (y)']],
    ),
    suite('int', ['pending', ['kill [nats] (skipped: no NATS_SERVER_BIN)']]),
    { displayName: { name: 'int' }, testExecError: new Error('does not compile'), testResults: [] },
  ]);
  expect([...counts].map(([lane, count]) => laneText([lane, count]))).toEqual([
    'unit ran 2',
    'embedded ran 1',
    'distributed skipped 1 (no NATS_URL)',
    'int ran 1, skipped 1',
    'nats skipped 1 (no NATS_SERVER_BIN)',
  ]);
});

test('each test that failed is named in a line of its own, with the first line of why', () => {
  const suites = [
    {
      testFilePath: '/root/shared/a.test.ts',
      testResults: [
        { status: 'passed', fullName: 'a holds', failureMessages: [] },
        { status: 'failed', fullName: 'a breaks', failureMessages: ['\n\u001b[31mError: 503 bus\u001b[39m\n  at x'] },
      ],
    },
    { testFilePath: '/root/b.test.ts', testExecError: new Error('does not compile'), testResults: [] },
  ];
  expect(failuresOf(suites, '/root')).toEqual([
    'failed: shared/a.test.ts › a breaks: Error: 503 bus',
    'failed: b.test.ts › the file: does not compile',
  ]);
});
