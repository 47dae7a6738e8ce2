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
 * Costs nothing for levels that are off. Bindings of child loggers are for ids alone.
 */
export function createLogger({ name, level, destination }: LoggerOptions): Logger {
  const options = {
    name,
    level,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (object: Record<string, unknown>) => redact(object) as Record<string, unknown>,
    },
    serializers: { err: (error: unknown) => error, msg: (text: unknown) => redact(text) },
    hooks: { streamWrite: withoutUriCredentials },
  };
  return pino(options, destination ?? standardOutput());
}

/** Lines that cannot be written now, as to a file on a full disk, wait, up to a megabyte of them: nobody stops working for them. */
const standardOutput = (): DestinationStream =>
  pino.destination({ dest: 1, sync: true, maxLength: 1_000_000 }).on('error', () => undefined);
