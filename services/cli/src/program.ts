import { Command, CommanderError } from 'commander';
import { asCliError, openApi } from './api';
import { addCommands } from './commands';
import { accounts } from './commands/accounts';
import { admin } from './commands/admin';
import { connections } from './commands/connections';
import { deliveries } from './commands/deliveries';
import { events } from './commands/events';
import { health } from './commands/health';
import { licence } from './commands/licence';
import { log, logProof } from './commands/log';
import { mcp } from './commands/mcp';
import { money } from './commands/money';
import { reconcile } from './commands/reconcile';
import { rules } from './commands/rules';
import { gateways } from './commands/secrets';
import { session } from './commands/session';
import { shop } from './commands/shop';
import { explanations } from './commands/what-if';
import type { Context } from './context';
import { CliError, type ExitCode, exitCodes } from './failure';
import type { Terminal } from './output';
import { readProfile } from './profile';

export type ProgramOptions = Pick<Context, 'env' | 'terminal' | 'input' | 'signal'>;

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
    api: () => openApi(readProfile(env)),
    isSure: false,
    exit: (chosen) => {
      code = chosen;
    },
  };
  const groups = [session, health, explanations, events, money, reconcile, deliveries, rules, log, logProof];
  for (const commands of [...groups, connections, gateways, shop, accounts, mcp, admin, licence])
    addCommands(program, commands, context);
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

function failed(thrown: unknown, terminal: Terminal): ExitCode {
  const error = asCliError(thrown);
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  terminal.warn(`${error instanceof Error ? error.message : String(error)}\n`);
  if (!(error instanceof CliError)) return exitCodes.no;
  if (error.next !== undefined) terminal.warn(`${error.next}\n`);
  return error.exitCode;
}
