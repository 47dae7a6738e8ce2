import { retryOf } from '@order-automation/base';
import { type DestinationStream, type Logger, pino } from 'pino';
import { redact } from '../privacy/mask-process-log';
import { withoutUriCredentials } from '../privacy/mask-text';

type LoggerOptions = {
  readonly name: string;
  /** One of pino's levels, or `silent`. */
  readonly level: string;
  /** Where lines go. Default: standard output. */
  readonly destination?: DestinationStream;
};

/**
 * A pino logger whose lines carry no secrets and no personal data: every logged object is copied and redacted at any depth.
 * Costs nothing for levels that are off. Bindings of child loggers are for ids alone. An outage fails everything that needs what is unavailable:
 * of an error that is retried later the stack is logged once in ten minutes, between that its message and those of its causes.
 */
export function createLogger({ name, level, destination }: LoggerOptions): Logger {
  const shorten = withoutRepeatedStacks();
  const options = {
    name,
    level,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (object: Record<string, unknown>) => redact(shorten(object)) as Record<string, unknown>,
    },
    serializers: { err: (error: unknown) => error, msg: (text: unknown) => redact(text) },
    hooks: { streamWrite: withoutUriCredentials },
  };
  return pino(options, destination ?? standardOutput());
}

/** Lines that cannot be written now, as to a file on a full disk, wait, up to a megabyte of them: nobody stops working for them. */
const standardOutput = (): DestinationStream =>
  pino.destination({ dest: 1, sync: true, maxLength: 1_000_000 }).on('error', () => undefined);

/** Milliseconds until the stack of an error that is retried later is logged again. */
const stackEvery = 10 * 60_000;
const maxCauses = 8;

/** Leaves of an error that is retried later, and was logged lately, what it and its causes say. */
function withoutRepeatedStacks(): (line: Record<string, unknown>) => Record<string, unknown> {
  const loggedAt = new Map<string, number>();
  return (line) => {
    const { err } = line;
    if (!(err instanceof Error) || retryOf(err) !== 'later') return line;
    const { name: type, message } = err;
    const now = performance.now();
    if (now - (loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) >= stackEvery) {
      if (loggedAt.size >= 100) loggedAt.clear();
      loggedAt.set(message, now);
      return line;
    }
    const causes: string[] = [];
    for (let { cause } = err; cause instanceof Error && causes.length < maxCauses; cause = cause.cause)
      causes.push(`${cause.name}: ${cause.message}`);
    return { ...line, err: { type, message, causes } };
  };
}
