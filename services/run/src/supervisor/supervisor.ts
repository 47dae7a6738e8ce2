import { type Child, type ChildOptions, type Program, startChild } from './supervisor-child';

export type SupervisorOptions = Omit<ChildOptions, 'env' | 'onRefusal'> & {
  /** In the order of starting; they are stopped in reverse. */
  readonly programs: readonly Program[];
  readonly env: (program: Program) => NodeJS.ProcessEnv;
  /** Milliseconds all of them have for stopping before they are ended. Default 10,000. */
  readonly stopTimeout?: number;
};

export type Supervisor = ReturnType<typeof startSupervisor>;

/** Keeps programs running, each as a process of its own. One that refuses its configuration stops them all. */
export function startSupervisor(options: SupervisorOptions) {
  const { programs, log, onReport, stopTimeout = 10_000 } = options;
  let stopping: Promise<boolean> | undefined;
  const stop = (): Promise<boolean> => {
    stopping ??= stopAll([...children].reverse(), stopTimeout, log);
    return stopping;
  };

  let refuse: () => void;
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  const onRefusal = (program: Program): void => {
    log.fatal({ service: program.name }, 'the configuration was refused, everything stops');
    void stop().then(() => refuse());
  };

  const children = programs.map((program) =>
    startChild(program, { env: () => options.env(program), log, onReport, onRefusal }),
  );
  return {
    /** Stops all, the last started first. Resolves when all are gone; rejects when one had to be ended or failed while stopping. Idempotent. */
    stop: async (): Promise<void> => {
      if (!(await stop())) throw new Error('not every process stopped by itself and without an error');
    },
    /** Resolves when a program has refused its configuration and all are stopped for it. */
    refused,
  };
}

async function stopAll(children: readonly Child[], stopTimeout: number, log: ChildOptions['log']): Promise<boolean> {
  let clean = true;
  const timer = setTimeout(() => {
    clean = false;
    log.error({ stop_timeout_ms: stopTimeout }, 'processes that have not stopped are ended');
    for (const child of children) child.kill();
  }, stopTimeout);
  for (const child of children) {
    if (!(await child.stop())) clean = false;
  }
  clearTimeout(timer);
  return clean;
}
