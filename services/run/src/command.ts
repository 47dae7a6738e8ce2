import { parseArgs } from 'node:util';
import { ConfigError, exitRefusedConfiguration } from '@order-automation/service';

type Given<Flag extends string> = {
  readonly flags: Readonly<Record<Flag, boolean>>;
  readonly words: readonly string[];
};

/**
 * Runs a command of an operator to its end: what it writes is for this user alone, its exit code is what `main` resolves with, and a failure is its
 * message on standard error with exit code 2 for a wrong configuration, else 1. A command line with another flag, or for which `main` gives
 * undefined, is answered with the usage.
 */
export function runCommand<Flag extends string>(
  usage: string,
  flags: readonly Flag[],
  main: (given: Given<Flag>) => Promise<number> | undefined,
): void {
  process.umask(0o077);
  const refused = async () => {
    process.stderr.write(usage);
    return exitRefusedConfiguration;
  };
  const given = parsed(flags);
  ((given && main(given)) ?? refused()).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = error instanceof ConfigError ? exitRefusedConfiguration : 1;
    },
  );
}

function parsed<Flag extends string>(flags: readonly Flag[]): Given<Flag> | undefined {
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean', default: false } as const]));
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { flags: values as Record<Flag, boolean>, words: positionals };
  } catch {
    return undefined;
  }
}
