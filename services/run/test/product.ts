import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { environmentOf, workerServices } from '../src/config';

/** Starts the built product from outside, as an operator does, for tests and benches that measure or kill it. */

const dist = join(__dirname, '..', 'dist');

/** Milliseconds until a process that does not come up counts as broken. */
const startTimeout = 150_000;

/** How many processes the supervisor starts: the edge, intake, and workers or the services that a worker has. */
const processesOf = ({ WORKERS = '1' }: NodeJS.ProcessEnv): number => 2 + (Number(WORKERS) || workerServices.length);

/** A started process, as it reports itself. */
export type Started = { readonly service: string; readonly pid: number; readonly ops: number; readonly port?: number };

export type Product = {
  /** The public port; 0 of a service that has none. */
  readonly port: number;
  /** The newest report of each process, by its name. */
  readonly started: ReadonlyMap<string, Started>;
  /** Asks it to stop and resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Ends the process at once, as a crash does; in distributed mode the supervisor, whose processes then stop by themselves. */
  kill(): Promise<void>;
};

export type ProductOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** Where its logs go: a file descriptor, or nowhere. */
  readonly log: number | 'ignore';
  /** The program, where it is not that of this build. */
  readonly program?: string;
};

/** A port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** One process with everything in it. Resolves when it takes webhooks; rejects when it dies before. */
export async function startEmbedded({ env, log, program = join(dist, 'main.js') }: ProductOptions): Promise<Product> {
  const child = fork(program, [], {
    execArgv: startFlags(),
    // Servers of the distributed lane: embedded refuses to start with them.
    env: { ...process.env, NATS_URL: '', MONGODB_URI: '', ...env },
    stdio: ['ignore', log === 'ignore' ? 'pipe' : log, log === 'ignore' ? 'pipe' : log, 'ipc'],
  });
  const started = new Map<string, Started>();
  const port = await comingUp(
    child,
    (report) => {
      child.on('message', (message) => report({ ...(message as Started), pid: child.pid ?? 0 }));
    },
    started,
  );
  return product(child, port, started);
}

/** One service, or a worker, as a process of its own, as a container runs it. Resolves when it is up. */
export function startService(name: string, { env, log }: ProductOptions): Promise<Product> {
  const program = name === 'worker' ? join(dist, 'worker.js') : join(dist, '../..', name, 'dist/main.js');
  return startEmbedded({ env: environmentOf(name, env), log, program });
}

/** The flags of Node.js that `npm start` gives. */
function startFlags(): string[] {
  const manifest = readFileSync(join(__dirname, '../../../package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: { start: string } };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

/** The distributed mode under the supervisor, of the composition that WORKERS says. Resolves when all its processes have started. */
export async function startDistributed({ env, log }: ProductOptions): Promise<Product> {
  const child: ChildProcess = spawn(process.execPath, [join(dist, 'distributed.js')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', log],
  });
  const started = new Map<string, Started>();
  const port = await comingUp(
    child,
    (report) => {
      if (child.stdout)
        createInterface({ input: child.stdout }).on('line', (line) => report(JSON.parse(line) as Started));
    },
    started,
    processesOf({ ...process.env, ...env }),
  );
  return product(child, port, started);
}

/** The end of what a process prints where nobody else reads it. */
function lastOutput({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr])
    stream?.on('data', (chunk) => {
      text = (text + String(chunk)).slice(-4000);
    });
  return () => text;
}

function comingUp(
  child: ChildProcess,
  listen: (report: (started: Started) => void) => void,
  started: Map<string, Started>,
  expected = 1,
): Promise<number> {
  const output = lastOutput(child);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`no public port within ${startTimeout} ms`));
    }, startTimeout);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`the product ended before it was up: ${code ?? signal}\n${output()}`));
    });
    listen((report) => {
      started.set(report.service, report);
      if (started.size < expected) return;
      clearTimeout(timer);
      resolve([...started.values()].find(({ port }) => port !== undefined)?.port ?? 0);
    });
  });
}

function product(child: ChildProcess, port: number, started: ReadonlyMap<string, Started>): Product {
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  return {
    port,
    started,
    stop: () => {
      child.kill('SIGTERM');
      return gone;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
