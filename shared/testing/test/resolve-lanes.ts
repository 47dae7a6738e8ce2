/** A server for tests: where it is, or why there is none. */
export type LaneServer = { readonly uri: string } | { readonly missing: string };

export type Lanes = { readonly nats: LaneServer; readonly mongodb: LaneServer };

const variable = 'ORDER_AUTOMATION_TEST_LANES';

/** Hands the lanes on to the test workers, which inherit the environment. */
export function announceLanes(found: Lanes): void {
  process.env[variable] = JSON.stringify(found);
}

/** What the global set-up found; without one, what the environment names. */
export function lanes(): Lanes {
  const text = process.env[variable];
  const { nats, mongodb } = text === undefined ? fromEnvironment() : (JSON.parse(text) as Lanes);
  return { nats, mongodb: 'uri' in mongodb ? { uri: ofThisWorker(mongodb.uri) } : mongodb };
}

/** MONGODB_URI may name several servers, with blanks between them: each worker of jest takes one in turn. */
function ofThisWorker(uris: string): string {
  const servers = uris.trim().split(/\s+/);
  return servers[(Number(process.env.JEST_WORKER_ID ?? 1) - 1) % servers.length] ?? uris;
}

/** Servers that the environment names: NATS_URL and MONGODB_URI. */
export function fromEnvironment(): Lanes {
  return {
    nats: process.env.NATS_URL ? { uri: process.env.NATS_URL } : { missing: 'no NATS_URL' },
    mongodb: process.env.MONGODB_URI ? { uri: process.env.MONGODB_URI } : { missing: 'no MONGODB_URI' },
  };
}
