import { readFileSync } from 'node:fs';

/** What the exit code tells a script. */
export const exitCodes = {
  done: 0,
  /** It ran, and the answer is no: unhealthy, not verified, rules differ, a test that failed. */
  no: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** Nobody is signed in, or the user may not do this. */
  refused: 3,
  notFound: 4,
  /** The service cannot be reached, or cannot answer now: trying again later may help. */
  unavailable: 5,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failure that is printed without a stack: what went wrong, and what to do next. */
export class CliError extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly next?: string,
  ) {
    super(message);
  }
}

export const usageError = (message: string, next?: string): CliError => new CliError(exitCodes.usage, message, next);

export const unreadable = (file: string, { code, message }: NodeJS.ErrnoException): CliError =>
  usageError(`${file} cannot be read (${code ?? message}).`);

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error as NodeJS.ErrnoException);
  }
}

/** Throws CliError where the file cannot be read, and where it is no JSON. */
export function readJson(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${file} is not JSON.`);
  }
}
