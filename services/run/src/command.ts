import { ConfigError, exitRefusedConfiguration } from '@order-automation/service';

/**
 * Runs a command of an operator to its end: what it writes is for this user alone, its exit code is what `main` resolves with, and a failure is its
 * message on standard error with exit code 2 for a wrong configuration, else 1.
 */
export function runCommand(main: (args: readonly string[]) => Promise<number>): void {
  process.umask(0o077);
  main(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = error instanceof ConfigError ? exitRefusedConfiguration : 1;
    },
  );
}
