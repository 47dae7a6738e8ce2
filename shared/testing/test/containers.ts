import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartedTestContainer } from 'testcontainers';

export type Started = { readonly uri: string; readonly container: StartedTestContainer };

/** Whether a container engine answers. Undefined = yes, else why not. */
export async function missingEngine(): Promise<string | undefined> {
  try {
    const { getContainerRuntimeClient } = await import('testcontainers');
    await getContainerRuntimeClient();
    return undefined;
  } catch {
    return 'no container engine';
  }
}

/** NATS with the settings that we deploy, but for the users: tests are alone with it. Each suite reserves streams of its own, more than an installation. */
export async function startNats(root: string): Promise<Started> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const settings = readFileSync(join(root, 'deploy/nats.conf'), 'utf8')
    .replace(/^include .*$/m, '')
    .replace(/max_file_store: .*/, 'max_file_store: 1TB');
  const container = await new GenericContainer('nats:2.15-alpine')
    .withCopyContentToContainer([{ content: settings, target: '/etc/nats/nats.conf' }])
    .withCommand(['-c', '/etc/nats/nats.conf'])
    .withExposedPorts(4222)
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start();
  return { uri: `nats://${container.getHost()}:${container.getMappedPort(4222)}`, container };
}

const initiate =
  "try { rs.status() } catch { rs.initiate({_id: 'rs0', members: [{_id: 0, host: 'localhost:27017'}]}) }";
const primary = 'while (!db.hello().isWritablePrimary) sleep(100)';

/** A MongoDB replica set of one member. */
export async function startMongodb(): Promise<Started> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer('mongo:8')
    .withCommand(['--replSet', 'rs0', '--bind_ip_all'])
    .withExposedPorts(27017)
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
    .start();
  const { exitCode, output } = await container.exec(['mongosh', '--quiet', '--eval', `${initiate}; ${primary}`]);
  if (exitCode !== 0) throw new Error(`the replica set could not be initiated: ${output}`);
  return {
    uri: `mongodb://${container.getHost()}:${container.getMappedPort(27017)}/?directConnection=true`,
    container,
  };
}
