import { Command, CommanderError } from 'commander';
import { addUsers } from './commands/accounts';
import { addAdmin } from './commands/admin';
import { addConnections } from './commands/connections';
import { addDeliveries } from './commands/deliveries';
import { addEvents } from './commands/events';
import { addHealth } from './commands/health';
import { addLicence } from './commands/licence';
import { addLog } from './commands/log';
import { addRules } from './commands/rules';
import { addGateways } from './commands/secrets';
import { addSession } from './commands/session';
import { addSimulate } from './commands/what-if';
import { addWhy } from './commands/why';
import { completionOf } from './completion';
import { apiOf, type Context } from './context';
import { CliError, type ExitCode, exitCodes } from './failure';
import type { Terminal } from './output';
import type { Env } from './profile';

export type ProgramOptions = {
  readonly env: Env;
  readonly terminal: Terminal;
  readonly input: NodeJS.ReadableStream;
  readonly signal: AbortSignal;
};

/** Read where it lies beside the built files, and inlined where they are bundled. */
const { version }: { readonly version: string } = require('../package.json');

const about = `orderctl asks an installation of order automation what happened and why, and changes what you tell it to.

ORDERCTL_URL, ORDERCTL_USER and ORDERCTL_PASSWORD (an application password) name the installation, or orderctl login remembers them.
Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 3 not signed in or not allowed, 4 not found, 5 the service cannot answer now.`;

/** Runs one command line (without the names of the programs); resolves with the exit code. */
export async function runProgram(args: readonly string[], options: ProgramOptions): Promise<ExitCode> {
  const { terminal, env } = options;
  let code: ExitCode = exitCodes.done;
  const program = new Command('orderctl').description(about).version(version).option('--json', 'print answers as JSON');
  const context: Context = {
    ...options,
    json: () => program.opts<{ json?: boolean }>().json === true,
    api: () => apiOf(env),
    exit: (chosen) => {
      code = chosen;
    },
  };
  for (const add of [
    addSession,
    addHealth,
    addWhy,
    addSimulate,
    addEvents,
    addDeliveries,
    addRules,
    addLog,
    addConnections,
    addGateways,
    addUsers,
    addAdmin,
    addLicence,
  ])
    add(program, context);
  program
    .command('completion')
    .argument('<shell>', 'bash or zsh')
    .description('print a script for the shell: eval "$(orderctl completion bash)"')
    .action((shell: string) => terminal.write(completionOf(program, shell)));
  prepare(program, terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return failed(error, terminal);
  }
}

/** Every command throws instead of ending the process, prints where the terminal says, and suggests the nearest name. */
function prepare(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({ writeOut: terminal.write, writeErr: terminal.warn });
  command.showSuggestionAfterError().showHelpAfterError('(--help shows how it is used)');
  for (const each of command.commands) prepare(each as Command, terminal);
}

function failed(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  terminal.warn(`${error instanceof Error ? error.message : String(error)}\n`);
  if (!(error instanceof CliError)) return exitCodes.no;
  if (error.next !== undefined) terminal.warn(`${error.next}\n`);
  return error.exitCode;
}
