import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { delayAfter } from '@order-automation/bus';
import { type createLogger, exitRefusedConfiguration } from '@order-automation/service';
import { z } from 'zod';

/** A program to keep running: the name it is reported by, and the file that Node.js runs. */
export type Program = {
  readonly name: string;
  /** The service that it is, or `worker`: of its environment. Default: its name. */
  readonly service?: string;
  readonly entry: string;
  /** A descriptor of ours that it gets as its third, with LISTEN_FDS=1. */
  readonly socket?: number;
};

/** What an operator and scripts read about a started process (decisions.md section 10). */
export type Report = { readonly service: string; readonly pid: number; readonly ops: number; readonly port?: number };

export type ChildOptions = {
  /** Of each process when it is started. */
  readonly env: () => NodeJS.ProcessEnv;
  readonly log: ReturnType<typeof createLogger>;
  /** Called each time the program has started and listens. */
  readonly onReport: (report: Report) => void;
  /** Called once when the program refuses its configuration: starting it again cannot help. */
  readonly onRefusal: (program: Program) => void;
};

export type Child = ReturnType<typeof startChild>;

const listeningSchema = z.object({ type: z.literal('listening'), ops: z.int(), port: z.int().optional() });

/**
 * Runs a program and starts it again whenever it dies, until it is stopped. Its output goes to standard error. It is detached, so that
 * Ctrl-C in a terminal reaches the supervisor alone and the order of stopping is kept; it stops when the channel to us is closed.
 */
export function startChild(program: Program, options: ChildOptions) {
  const { log } = options;
  let running: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let deaths = 0;
  let stopping = false;

  const launch = (): void => {
    const startedAt = performance.now();
    const child = forked(program, options.env());
    running = child;
    watch(child, program, options, (code, signal) => {
      running = undefined;
      if (stopping) return;
      if (code === exitRefusedConfiguration) {
        options.onRefusal(program);
        return;
      }
      deaths = deathsInARow(deaths, performance.now() - startedAt);
      const delay = restartDelay(deaths);
      log.warn({ service: program.name, pid: child.pid, code, signal, delay }, 'process died, will be started again');
      timer = setTimeout(launch, delay);
    });
  };

  launch();
  return {
    /** Asks the process to stop. Resolves when it is gone: true when it stopped by itself and without an error. */
    stop: async (): Promise<boolean> => {
      stopping = true;
      clearTimeout(timer);
      return running ? stopped(running) : true;
    },
    kill: (): void => {
      stopping = true;
      clearTimeout(timer);
      running?.kill('SIGKILL');
    },
  };
}

type Died = (code: number | null, signal: NodeJS.Signals | null) => void;

/** Reports the process when it listens, and tells once when it is gone. */
function watch(child: ChildProcess, { name }: Program, { log, onReport }: ChildOptions, died: Died): void {
  child.on('message', (message) => {
    const { data } = listeningSchema.safeParse(message);
    if (!data || child.pid === undefined) return;
    const { ops, port } = data;
    onReport({ service: name, pid: child.pid, ops, ...(port === undefined ? {} : { port }) });
  });
  child.once('exit', died);
  child.once('error', (err) => {
    log.error({ err, service: name }, 'process could not be started or reached');
    if (child.pid === undefined) died(null, null);
  });
}

/** V8's helpers: one is enough for a service (docs/decisions/0004). */
const nodeFlags = ['--v8-pool-size=1'];

/** The channel to us is the first descriptor after those it is given. */
function forked({ entry, socket }: Program, env: NodeJS.ProcessEnv): ChildProcess {
  const { LISTEN_PID: _pid, LISTEN_FDS: _fds, LISTEN_FDNAMES: _names, ...own } = env;
  const child = { execArgv: [...process.execArgv, ...nodeFlags], detached: true };
  if (socket === undefined) return fork(entry, [], { ...child, env: own, stdio: ['ignore', 2, 2, 'ipc'] });
  const stdio: StdioOptions = ['ignore', 2, 2, socket, 'ipc'];
  return fork(entry, [], { ...child, env: { ...own, LISTEN_FDS: '1' }, stdio });
}

function stopped(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    // Only a process that was still loading ends by the signal itself.
    child.once('exit', (code, signal) => resolve(code === 0 || signal === 'SIGTERM'));
    child.kill('SIGTERM');
  });
}

/** Milliseconds a process must have lived for its death to count as the first again. */
export const stableAfter = 30_000;

/** Deaths in a row; a stable process resets the count. `lived` in milliseconds. */
export const deathsInARow = (before: number, lived: number): number => (lived >= stableAfter ? 1 : before + 1);

/** Milliseconds to wait before starting again after that many deaths in a row: at once, then doubling up to 10 s. */
export const restartDelay = (deaths: number): number =>
  deaths <= 1 ? 0 : delayAfter(deaths - 1, { first: 250, longest: 10_000 });
