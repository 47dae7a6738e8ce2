const { countLanes, laneText } = require('./jest-summary.js') as {
  countLanes(suites: readonly object[]): Map<string, object>;
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
