import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { once } from '@order-automation/base';
import type { Logger } from 'pino';
import { ConfigError, type Env } from './config';

/** The environment; what it lacks is read from a `.env` file of the working directory, when there is one. */
export const loadEnv = (file = '.env', env: Env = process.env): Env => ({ ...readEnvFile(file), ...env });

function readEnvFile(file: string): Env {
  try {
    return parseEnv(readFileSync(file, 'utf8')) as Env;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Exit code of a process whose configuration is wrong: starting it again cannot help. */
export const exitRefusedConfiguration = 2;

/** Ends the process with the text of a ConfigError, which from another thread comes as a copy with its name; of anything else it does nothing. */
export function exitWhenRefused(error: unknown): void {
  if (!(error instanceof Error && error.name === ConfigError.name)) return;
  process.stderr.write(`${error.message}\n`);
  process.exit(exitRefusedConfiguration);
}

type Listening = { readonly service: string; readonly ops: number; readonly port?: number };

/** Tells the parent process, when there is one that listens, which ports this process has. */
export function reportListening(listening: Listening): void {
  process.send?.({ type: 'listening', ...listening });
}

type SuperviseOptions = {
  readonly log: Logger;
  /** Closes everything, in reverse order of start. Called once. */
  readonly close: () => Promise<void>;
  /** Sends callers elsewhere before the end. */
  readonly drain?: () => void;
  /** Milliseconds until the exit is forced, with code 1. Default 10,000. */
  readonly timeout?: number;
};

/**
 * SIGTERM, SIGINT and the death of the process that forked us close and exit: 0 when everything closed in time, else 1. A second signal changes nothing. SIGUSR2
 * says that the end is near: the process drains and goes on. What nobody caught is logged and exits with 1 at once: the stores hold the truth.
 */
export function superviseProcess({ log, close, drain, timeout = 10_000 }: SuperviseOptions): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'closing');
    setTimeout(() => {
      log.fatal({ timeout_ms: timeout }, 'closing took too long, the exit is forced');
      process.exit(1);
    }, timeout).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'closing failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGUSR2', () => {
    log.info('draining');
    drain?.();
  });
  process.once('disconnect', () => stop('SIGHUP'));
  const die = (error: unknown): never => {
    log.fatal({ err: error }, 'an error that nobody caught');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}

export type Closing = {
  /** Closed before everything that was added earlier. */
  add(part: string, close: () => Promise<void>): void;
  /** Closes all, last added first; one that fails does not keep the others open. Idempotent; rejects with what failed. */
  close(): Promise<void>;
};

/** Remembers what was started, to close it in reverse. */
export function closeInReverse(): Closing {
  const parts: { part: string; close: () => Promise<void> }[] = [];
  const closeAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let next = parts.pop(); next; next = parts.pop()) {
      const { part, close } = next;
      await close().catch((cause: unknown) => failures.push(new Error(`${part} could not be closed`, { cause })));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'some parts could not be closed');
  };
  return { add: (part, close) => void parts.push({ part, close }), close: once(closeAll) };
}
