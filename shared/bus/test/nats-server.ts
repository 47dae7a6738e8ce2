import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lanes } from '@order-automation/testing';

/** A nats-server of the test's own, which may be killed. */
export type OwnServer = {
  readonly uri: string;
  readonly monitor: string;
  start(): Promise<void>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Removes what the server has on disk. */
  wipe(): Promise<void>;
  remove(): Promise<void>;
};

export type ServerSettings = {
  readonly maxPayload?: string;
  readonly syncAlways?: boolean;
  readonly jetStream?: boolean;
  /** The `authorization` block of the configuration. Default: none, every client is accepted. */
  readonly authorization?: string;
  readonly env?: Readonly<Record<string, string>>;
};

const binary = process.env.NATS_SERVER_BIN;

/** Why servers cannot be started here; undefined when they can. */
export const cannotStart = binary ? undefined : 'no NATS_SERVER_BIN';

export async function ownServer(settings: ServerSettings = {}): Promise<OwnServer> {
  if (!binary) throw new Error('NATS_SERVER_BIN names no server.');
  const home = await mkdtemp(join(tmpdir(), 'nats-'));
  const store = join(home, 'store');
  const [port, monitorPort] = [await freePort(), await freePort()];
  const uri = `nats://127.0.0.1:${port}`;
  const sync = settings.syncAlways ? 'sync_interval: always' : '';
  const config = [
    'host: 127.0.0.1',
    `port: ${port}`,
    `http: 127.0.0.1:${monitorPort}`,
    `max_payload: ${settings.maxPayload ?? '8MB'}`,
    settings.authorization ?? '',
    settings.jetStream === false ? '' : `jetstream { store_dir: "${store}", ${sync} }`,
  ];
  await writeFile(join(home, 'nats.conf'), config.join('\n'));
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const started = spawn(binary, ['-c', join(home, 'nats.conf')], {
      stdio: 'ignore',
      env: { ...process.env, ...settings.env },
    });
    child = started;
    await answering(port, () => started.exitCode !== null);
  };
  const kill = async (): Promise<void> => {
    const dying = child;
    child = undefined;
    if (!dying || dying.exitCode !== null) return;
    const gone = new Promise((resolve) => dying.once('exit', resolve));
    dying.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    uri,
    monitor: `http://127.0.0.1:${monitorPort}`,
    start,
    kill,
    wipe: () => rm(store, { recursive: true, force: true }),
    remove: async () => {
      await kill();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The server of the lane, else one of our own; or why there is none. */
export function natsForTests():
  | { readonly missing: string }
  | { open(): Promise<{ uri: string; close(): Promise<void> }> } {
  const lane = lanes().nats;
  if ('uri' in lane) return { open: async () => ({ uri: lane.uri, close: async () => undefined }) };
  if (cannotStart) return { missing: `${lane.missing}, ${cannotStart}` };
  return {
    open: async () => {
      const { uri, remove } = await ownServer();
      return { uri, close: remove };
    },
  };
}

/** Until it speaks: its first words are for everybody. */
async function answering(port: number, died: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    if (died()) throw new Error('nats-server ended.');
    if (await speaks(port)) return;
    if (Date.now() > deadline) throw new Error(`nats-server does not answer at port ${port}`);
  }
}

function speaks(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port, timeout: 500 });
    const end = (spoke: boolean): void => {
      socket.destroy();
      resolve(spoke);
    };
    socket.once('data', () => end(true));
    socket.once('error', () => setTimeout(end, 20, false));
    socket.once('timeout', () => end(false));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
