import { distributedLane, embeddedLane, type Lane, type OpenLane } from './lane';
import { type LaneServer, lanes } from './resolve-lanes';

/** Milliseconds for hooks and tests against servers, some of which take milliseconds for a write. */
const serverTimeout = 60_000;

/** The same suite on the in-process bus with SQLite and on NATS with MongoDB; without its servers the second is skipped, named and counted. */
export function describeLanes(name: string, suite: (lane: Lane) => void): void {
  describe(`${name} [embedded]`, () => runSuite('embedded', embeddedLane, suite));
  describeServers(name, 'distributed', [lanes().nats, lanes().mongodb], () =>
    runSuite('distributed', distributedLane, suite),
  );
}

/** A suite that needs MongoDB. */
export function describeMongodb(name: string, suite: (uri: string) => void): void {
  const { mongodb } = lanes();
  describeServers(name, 'mongodb', [mongodb], () => suite('uri' in mongodb ? mongodb.uri : ''));
}

function describeServers(name: string, lane: string, servers: readonly LaneServer[], suite: () => void): void {
  const missing = servers.flatMap((server) => ('missing' in server ? [server.missing] : []));
  if (missing.length > 0) {
    describe.skip(`${name} [${lane}] (skipped: ${[...new Set(missing)].join('; ')})`, suite);
    return;
  }
  describe(`${name} [${lane}]`, () => {
    jest.setTimeout(serverTimeout);
    suite();
  });
}

/** The lane is opened when the first test asks for something, so that a skipped suite opens nothing. */
function runSuite(name: Lane['name'], open: () => OpenLane, suite: (lane: Lane) => void): void {
  let opened: OpenLane | undefined;
  const get = (): Lane => {
    opened ??= open();
    return opened.lane;
  };
  suite({
    name,
    bus: (network) => get().bus(network),
    store: (database) => get().store(database),
    deps: (options) => get().deps(options),
  });
  // Jest runs these hooks in the order of their making: the suite's own come first.
  afterAll(() => opened?.tidy(), serverTimeout);
}
