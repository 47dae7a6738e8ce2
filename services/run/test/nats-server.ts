import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deployFile } from './deployment';
import { freePort } from './product';

/** A NATS server of our own that can be ended and started again, with the settings of deploy/nats.conf. */
export type NatsServer = {
  readonly url: string;
  /** Starts it again; resolves when it takes connections. */
  start(): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** Deletes its storage; only while it is ended. */
  wipe(): void;
};

export type NatsServerOptions = {
  /** What is in the place of deploy/nats-users.conf; the passwords are in `env`. Default: everybody gets in. */
  readonly users?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: that of deploy/nats.conf. */
  readonly maxPayload?: string;
};

/** Starts the program `binary` on a free port with everything it keeps in `folder`. */
export async function startNatsServer(
  binary: string,
  folder: string,
  { users = '', env = {}, maxPayload }: NatsServerOptions = {},
): Promise<NatsServer> {
  const [port, monitor] = [await freePort(), await freePort()];
  const storage = join(folder, 'jetstream');
  const file = join(folder, 'nats.conf');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'nats-users.conf'), users);
  const settings = deployFile('nats.conf')
    .replace('port: 4222', `listen: "127.0.0.1:${port}"`)
    .replace('127.0.0.1:8222', `127.0.0.1:${monitor}`)
    .replace('store_dir: /data', `store_dir: "${storage}"`)
    .replace(/max_payload: \S+/, (given) => (maxPayload === undefined ? given : `max_payload: ${maxPayload}`));
  writeFileSync(file, settings);
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(binary, ['-c', file], { stdio: 'ignore', env: { ...process.env, ...env } });
    for (let tries = 0; tries < 200; tries += 1) {
      if (await answers(port)) return;
      await delay(50);
    }
    throw new Error(`nats-server does not listen on port ${port}`);
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    wipe: () => rmSync(storage, { recursive: true, force: true }),
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });
}
