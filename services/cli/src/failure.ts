/** What the exit code tells a script. */
export const exitCodes = {
  /** The command did what it was asked for. */
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
