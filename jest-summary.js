const { stripVTControlCharacters } = require('node:util');

const laneTag = /^(?:.* )?[[(](embedded|distributed|nats|mongodb)(?:[\]):]|$)/;

/** The lane that a test belongs to: the tag in the name of one of its describes, else its project. */
function laneOf(project, titles) {
  for (const title of titles) {
    const tag = laneTag.exec(title);
    if (tag) return tag[1];
  }
  return project;
}

const countedStates = { passed: 'passed', failed: 'failed', pending: 'skipped', todo: 'skipped', disabled: 'skipped' };

/** Tests of each lane by outcome. A file that could not be run counts as one failed test of its project. */
function countLanes(suites) {
  const counts = new Map();
  const add = (lane, state, titles = []) => {
    const count = counts.get(lane) ?? { passed: 0, failed: 0, skipped: 0, reasons: new Set() };
    count[state] += 1;
    for (const title of titles) {
      const reason = /\(skipped: ([^)]*)\)|\((?:distributed|nats|mongodb): ([^)]*)\)/.exec(title);
      if (reason && state === 'skipped') count.reasons.add(reason[1] ?? reason[2]);
    }
    counts.set(lane, count);
  };
  for (const { displayName, testExecError, testResults } of suites) {
    const project = displayName?.name ?? displayName ?? 'tests';
    if (testExecError && testResults.length === 0) add(project, 'failed');
    for (const { ancestorTitles, status } of testResults) {
      const state = countedStates[status];
      if (state) add(laneOf(project, ancestorTitles), state, ancestorTitles);
    }
  }
  return counts;
}

function laneText([name, { passed, failed, skipped, reasons }]) {
  const parts = [passed + failed > 0 ? `ran ${passed + failed}` : '', skipped > 0 ? `skipped ${skipped}` : ''];
  const why = reasons.size > 0 ? ` (${[...reasons].join('; ')})` : '';
  return `${name} ${parts.filter(Boolean).join(', ')}${why}`;
}

/** A line for each test that failed: its file, its name, and the first line of why. */
function failuresOf(suites, root = process.cwd()) {
  const line = (file, name, message = '') => {
    const why =
      stripVTControlCharacters(message)
        .split('\n')
        .find((text) => text.trim() !== '') ?? '';
    return `failed: ${file.replace(`${root}/`, '')} › ${name}: ${why.trim()}`.slice(0, 300);
  };
  return suites.flatMap(({ testFilePath, testExecError, testResults }) => {
    if (testExecError && testResults.length === 0) return [line(testFilePath, 'the file', testExecError.message)];
    const failed = testResults.filter(({ status }) => status === 'failed');
    return failed.map(({ fullName, failureMessages }) => line(testFilePath, fullName, failureMessages[0]));
  });
}

function totals(counts) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const count of counts.values()) for (const state of Object.keys(sum)) sum[state] += count[state];
  return sum;
}

/**
 * Ends the output with the tests that failed, what ran in which lane, and `N passed, N failed, N skipped` as the very last line. With CI=true and
 * REQUIRE_ALL_LANES=1 a skipped test fails the run.
 */
class Summary {
  onRunComplete(_contexts, results) {
    const counts = countLanes(results.testResults);
    const { passed, failed, skipped } = totals(counts);
    const required = process.env.CI === 'true' && process.env.REQUIRE_ALL_LANES === '1';
    const lines = [...failuresOf(results.testResults), `lanes: ${[...counts].map(laneText).join(', ') || 'none ran'}`];
    if (required && skipped > 0) {
      this.error = new Error(`${skipped} tests were skipped, and REQUIRE_ALL_LANES wants all of them`);
      lines.push(this.error.message);
    }
    lines.push(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    // Whatever jest still has to say, these are the last lines.
    process.once('exit', () => process.stdout.write(`\n${lines.join('\n')}\n`));
  }

  getLastError() {
    return this.error;
  }
}

module.exports = Summary;
module.exports.countLanes = countLanes;
module.exports.failuresOf = failuresOf;
module.exports.laneText = laneText;
