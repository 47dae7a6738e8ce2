import { createInterface } from 'node:readline/promises';
import type { Api } from './api';
import { CliError, type ExitCode, exitCodes, usageError } from './failure';
import type { Terminal } from './output';
import type { Env } from './profile';

export type Context = {
  readonly env: Env;
  readonly terminal: Terminal;
  readonly input: NodeJS.ReadableStream;
  /** Ends streams; a person presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** Whether answers are printed as JSON, for scripts. */
  json(): boolean;
  api(): Api;
  /** Whether the person said so before being asked. */
  readonly isSure: boolean;
  /** The exit code of the command that runs; 0 until it says otherwise. */
  exit(code: ExitCode): void;
};

/** Prints an answer: as JSON where that is asked for, else as a person reads it. */
export function show(context: Context, answer: unknown, text: () => string): void {
  context.terminal.write(context.json() ? `${JSON.stringify(answer, null, 2)}\n` : text());
}

/** Says which installation is about to be changed, and asks. Without a terminal nothing is changed unless `--yes` says so. */
export async function confirm(context: Context, change: string): Promise<void> {
  const { terminal } = context;
  const { url, user } = context.api();
  terminal.warn(`${url} as ${user}: ${change}\n`);
  if (context.isSure) return;
  if (!terminal.isInteractive) throw usageError('Nothing was changed: there is no terminal to ask at.', 'Add --yes.');
  const answer = await ask(context, 'Continue? [y/N] ');
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError(exitCodes.no, 'Nothing was changed.');
}

/** One line from the terminal; not echoed when it is secret. */
export async function ask({ input, terminal }: Context, question: string, secret = false): Promise<string> {
  terminal.warn(question);
  const lines = createInterface({ input, terminal: secret && terminal.isInteractive });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (secret) terminal.warn('\n');
  }
}
