import { join } from 'node:path';
import { missingEngine, type Started, startMongodb, startNats } from './containers';
import { announceLanes, fromEnvironment, type LaneServer, type Lanes } from './resolve-lanes';

const started: Started[] = [];
let announced: Promise<void> | undefined;

/**
 * Finds the servers once for a run of jest: those that the environment names, else containers where an engine answers, else none;
 * tests of a lane without its servers are skipped and counted.
 */
export function findLanes(): Promise<void> {
  announced ??= find().then(announceLanes);
  return announced;
}

async function find(): Promise<Lanes> {
  const named = fromEnvironment();
  const engine = 'missing' in named.nats || 'missing' in named.mongodb ? await missingEngine() : undefined;
  const root = join(__dirname, '../../..');
  return {
    nats: await serverOr(named.nats, engine, () => startNats(root)),
    mongodb: await serverOr(named.mongodb, engine, startMongodb),
  };
}

async function serverOr(
  named: LaneServer,
  engine: string | undefined,
  start: () => Promise<Started>,
): Promise<LaneServer> {
  if ('uri' in named) return named;
  if (engine !== undefined) return { missing: `${named.missing}, ${engine}` };
  const server = await start();
  started.push(server);
  return { uri: server.uri };
}

export async function stopLanes(): Promise<void> {
  await Promise.all(started.splice(0).map(({ container }) => container.stop()));
}
