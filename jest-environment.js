const { TestEnvironment } = require('jest-environment-node');

/**
 * How many times longer than it says a test, or a wait for something in it (`waitFor`), may take: the limits are for work that has stopped, not for a
 * machine that others share. `TEST_PATIENCE=1` takes them as they are.
 */
process.env.TEST_PATIENCE ??= '3';
const patience = Number(process.env.TEST_PATIENCE);

module.exports = class PatientEnvironment extends TestEnvironment {
  handleTestEvent({ name, test, hook }, { testTimeout }) {
    if (name === 'test_start') test.timeout = (test.timeout ?? testTimeout) * patience;
    if (name === 'hook_start') {
      // A hook starts once for each test.
      hook.limit ??= (hook.timeout ?? testTimeout) * patience;
      hook.timeout = hook.limit;
    }
  }
};
