import { createInterface } from 'node:readline/promises';
import { type Api, openApi } from './api';
import { CliError, type ExitCode, exitCodes } from './failure';
import { type Column, type Terminal, table } from './output';
import { type Env, readProfile } from './profile';

/** What commands are given. */
export type Context = {
  readonly env: Env;
  readonly terminal: Terminal;
  readonly input: NodeJS.ReadableStream;
  /** Ends streams; a person presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** Whether answers are printed as JSON, for scripts. */
  json(): boolean;
  api(): Api;
  /** The exit code of the command that runs; 0 until it says otherwise. */
  exit(code: ExitCode): void;
};

/** Prints an answer: as JSON where that is asked for, else as a person reads it. */
export function show(context: Context, answer: unknown, text: () => string): void {
  context.terminal.write(context.json() ? `${JSON.stringify(answer, null, 2)}\n` : text());
}

/** A list, or a sentence where it is empty. */
export function showTable<Row>(
  context: Context,
  answer: unknown,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
): void {
  const { terminal } = context;
  show(context, answer, () =>
    rows.length === 0 ? `${none}\n` : table(rows, columns, terminal.isInteractive ? terminal.width : undefined),
  );
}

export function apiOf(env: Env): Api {
  return openApi(readProfile(env));
}

/**
 * Says which installation is about to be changed, and asks. Without a terminal nothing is changed unless `yes` says so.
 */
export async function confirm(context: Context, change: string, yes: boolean | undefined): Promise<void> {
  const { terminal } = context;
  const { url, user } = context.api();
  terminal.warn(`${url} as ${user}: ${change}\n`);
  if (yes) return;
  if (!terminal.isInteractive)
    throw new CliError(exitCodes.usage, 'Nothing was changed: nobody could be asked.', 'Add --yes.');
  const answer = await ask(context, 'Go on? [y/N] ');
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
