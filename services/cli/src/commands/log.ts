import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RowOf } from '../api';
import { type Commands, limited } from '../commands';
import { type Context, show } from '../context';
import { CliError, exitCodes, usageError } from '../failure';
import { facts, plain, shortTime } from '../output';
import { entriesOf } from '../server-sent-events';
import { type Filters, filterOf, type Limited, limitOf, optionsOf, present } from '../values';

type Options = { readonly from?: string; readonly to?: string; readonly test?: boolean; readonly debug?: boolean };

const filters: Filters = {
  order: ['order_id', 'order'],
  rule: ['rule_id', 'rule'],
  process: ['process_id', 'process'],
  status: ['status', 'success, error, warning, info, skipped, pending or debug'],
  type: ['event_type', 'entry type, such as rule_evaluation'],
  from: ['date_from', '2026-11-23 or an instant'],
  to: ['date_to', '2026-11-23 or an instant'],
};

type Entry = RowOf<'GET /v1/audit-log', 'logs'>;

const queryOf = (options: Options) => ({
  ...filterOf(filters, options),
  ...present({ include_test: options.test, include_debug: options.debug }),
});

const searchOf = (values: object): string =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

const line = ({ timestamp, status, event_type, summary }: Entry): string =>
  `${shortTime(timestamp)}  ${status.padEnd(8)} ${event_type.padEnd(20)} ${plain(summary)}\n`;

const withTests = {
  ...optionsOf(filters),
  '--test': 'with entries of test events',
  '--debug': 'with debug entries',
} as const;

/** `log`: follow, search, export and prove the log. */
export const log: Commands = {
  log: 'the log of what happened and why',
  'log search': {
    about: 'list entries, newest first',
    takes: { '[words...]': 'words that an entry must have, or an e-mail address' },
    options: { ...withTests, ...limited },
    run: async ({ words, limit, ...options }: Options & Limited & { words: string[] }, context) => {
      const search = words.join(' ').trim() || undefined;
      const query = { ...queryOf(options), ...present({ search }), view: 'flat', per_page: limitOf(limit, 200) };
      const answer = await context.api().call('GET /v1/audit-log', { query: query as never });
      show(context, answer, () =>
        answer.logs.length === 0 ? 'No entry passes this filter.\n' : answer.logs.map(line).join(''),
      );
    },
  },
  'log tail': { about: 'follow the log until Ctrl-C', options: withTests, run: tail },
  'log export': {
    about: 'write every entry that passes the filters',
    options: {
      ...withTests,
      '--format <format>': ['ndjson or csv', 'ndjson'],
      '--proof': 'every entry between --from and --to, so that log verify-export can prove the file',
      '-o, --output <file>': 'a file that does not exist yet; standard output without it',
    },
    run: exportLog,
  },
  'log verify': {
    about: 'prove that no entry was edited, removed or inserted (exit code 1 when one was)',
    options: { '--from-id <id>': 'first entry', '--to-id <id>': 'last entry' },
    run: async ({ fromId, toId }: { fromId?: string; toId?: string }, context) => {
      const query = present({ from_id: fromId, to_id: toId }) as never;
      const answer = await context.api().call('GET /v1/audit-log/verify', { query });
      if (!answer.valid) context.exit(exitCodes.no);
      show(context, answer, () => facts(answer));
    },
  },
};

async function tail(options: Options, context: Context): Promise<void> {
  const { signal, terminal } = context;
  const query = searchOf(queryOf(options));
  for (let last: string | undefined; !signal.aborted; ) {
    try {
      const headers = last === undefined ? {} : { 'last-event-id': last };
      const response = await context.api().fetch(`/v1/audit-log/stream?${query}`, { headers, signal });
      for await (const { id, data } of entriesOf(response)) {
        last = id ?? last;
        terminal.write(context.json() ? `${data}\n` : line(JSON.parse(data) as Entry));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CliError && (error.exitCode !== exitCodes.unavailable || last === undefined)) throw error;
      terminal.warn('The connection ended; following again from the last entry.\n');
    }
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

/** Entries are sealed half a minute after they were recorded. */
const sealedWithin = 45_000;

/** Waits for the first seal of an installation that has just begun, where all of its log is wanted. */
async function whenSealed<T>(
  request: () => Promise<T>,
  { proof, from, to }: ExportOptions,
  context: Context,
): Promise<T> {
  const end = Date.now() + sealedWithin;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const isEarly = error instanceof CliError && error.message.includes('svc_log_not_sealed');
      const mayWait = proof === true && from === undefined && to === undefined && !context.signal.aborted;
      if (!isEarly || !mayWait || Date.now() > end) throw error;
    }
    context.terminal.warn('Nothing is sealed yet; waiting.\n');
    await new Promise((resolve) => setTimeout(resolve, 5_000));
  }
}

type ExportOptions = Options & { readonly format: string; readonly proof?: boolean; readonly output?: string };

async function exportLog(options: ExportOptions, context: Context): Promise<void> {
  const { format, output, proof } = options;
  if (format !== 'ndjson' && format !== 'csv') throw usageError('--format must be ndjson or csv.');
  const query = searchOf({ ...queryOf(options), ...present({ proof }), format });
  const request = () => context.api().fetch(`/v1/audit-log/export?${query}`);
  const { body, headers } = await whenSealed(request, options, context);
  if (!body) return;
  const stream = Readable.fromWeb(body as never);
  if (output === undefined) {
    // A character may straddle two chunks.
    stream.setEncoding('utf8');
    for await (const text of stream) context.terminal.write(text as string);
    return;
  }
  const file = createWriteStream(output, { flags: 'wx', mode: 0o600 });
  await pipeline(stream, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw usageError(`${output} exists already.`, 'Name another file.');
    throw error;
  });
  context.terminal.warn(`${headers.get('x-total-count') ?? 'All'} entries written to ${output}\n`);
  if (proof) context.terminal.warn(`orderctl log verify-export ${output} proves it, also away from here.\n`);
}
