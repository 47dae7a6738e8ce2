import { type ChildProcess, fork } from 'node:child_process';
import { type createLogger, exitRefusedConfiguration } from '@order-automation/service';
import { z } from 'zod';
import { deathsInARow, restartDelay } from './supervisor-restarts';

/** A program to keep running: the name it is reported by, and the file that Node.js runs. */
export type Program = { readonly name: string; readonly entry: string };

/** What an operator and scripts read about a started process (decisions.md section 10). */
export type Report = {
  readonly service: string;
  readonly pid: number;
  readonly ops: number;
  readonly port?: number;
};

export type ChildOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly log: ReturnType<typeof createLogger>;
  /** Called each time the program has started and listens. */
  readonly onReport: (report: Report) => void;
  /** Called once when the program refuses its configuration: starting it again cannot help. */
  readonly onRefusal: (program: Program) => void;
};

export type Child = {
  /** Asks the process to stop. Resolves when it is gone: true when it stopped by itself and without an error. */
  stop(): Promise<boolean>;
  /** Ends the process at once, for good. */
  kill(): void;
};

const listeningSchema = z.object({
  type: z.literal('listening'),
  service: z.string(),
  ops: z.int(),
  port: z.int().optional(),
});

/**
 * Runs a program and starts it again whenever it dies, until it is stopped. Its output goes to standard error. It is detached, so that
 * Ctrl-C in a terminal reaches the supervisor alone and the order of stopping is kept; it stops when the channel to us is closed.
 */
export function startChild(program: Program, options: ChildOptions): Child {
  const { log } = options;
  let running: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let deaths = 0;
  let stopping = false;

  const launch = (): void => {
    const startedAt = performance.now();
    const child = fork(program.entry, [], { env: options.env, stdio: ['ignore', 2, 2, 'ipc'], detached: true });
    running = child;
    child.on('message', (message) => {
      const parsed = listeningSchema.safeParse(message);
      if (parsed.success && child.pid !== undefined) options.onReport(reportOf(child.pid, parsed.data));
    });
    const died = (code: number | null, signal: NodeJS.Signals | null): void => {
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
    };
    child.once('exit', died);
    child.once('error', (err) => {
      log.error({ err, service: program.name }, 'process could not be started or reached');
      if (child.pid === undefined) died(null, null);
    });
  };

  launch();
  return {
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      return running === undefined ? true : await stopped(running);
    },
    kill: () => {
      stopping = true;
      clearTimeout(timer);
      running?.kill('SIGKILL');
    },
  };
}

function reportOf(pid: number, { service, ops, port }: z.infer<typeof listeningSchema>): Report {
  return port === undefined ? { service, pid, ops } : { service, pid, ops, port };
}

function stopped(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code === 0));
    child.kill('SIGTERM');
  });
}
