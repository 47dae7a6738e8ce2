const Sequencer = require('@jest/test-sequencer').default;

/** Suites that take minutes begin first: one that begins last keeps every other worker waiting for it. */
const slow = [
  'run/test/year/shop-year',
  'run/test/migrate',
  'run/test/upgrade',
  'run/test/field-cases',
  'api-gateway/test/matrix',
  'shop/test/woocommerce-failures',
  'run/test/console.e2e',
  'run/test/sender-lives',
  'run/test/docs',
  'gateway-intake/test/rotation',
  'run/test/crash-points',
  'run/test/simulation',
];

const rankOf = ({ path }) => {
  const at = slow.findIndex((one) => path.includes(one));
  return at < 0 ? slow.length : at;
};

module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rankOf(a) - rankOf(b));
  }
};
