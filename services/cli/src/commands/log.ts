import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { addressOf } from '@order-automation/api-gateway/client';
import type { RowOf } from '../api';
import { type Commands, limited } from '../commands';
import { type Context, show } from '../context';
import { CliError, exitCodes, readText, unreadable, usageError } from '../failure';
import { log as filters } from '../filters.json';
import { counted, facts, plain, shortTime } from '../output';
import type { ExportProof, Receipt } from '../proof/export-proof';
import { type KeptHeads, parseHeads, textOf } from '../proof/kept-heads';
import type { Fields } from '../proof/lines';
import { verifyExport } from '../proof/verify-export';
import { entriesOf } from '../server-sent-events';
import { filterOf, type Limited, limitOf, optionsOf, present } from '../values';

type Options = { readonly from?: string; readonly to?: string; readonly test?: boolean; readonly debug?: boolean };

type Entry = RowOf<'GET /v1/audit-log', 'logs'>;

const queryOf = (options: Options) => ({
  ...filterOf(filters, options),
  ...present({ include_test: options.test, include_debug: options.debug }),
});

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
  'log tail': { options: withTests, run: tail },
  'log export': {
    options: {
      ...withTests,
      '--format <format>': ['ndjson or csv', 'ndjson'],
      '--proof': 'every entry between --from and --to, so that log verify-export can prove the file',
      '-o, --output <file>': 'a file that does not exist yet; standard output without it',
    },
    run: exportLog,
  },
  'log verify': async ({ fromId, toId }: { fromId?: string; toId?: string }, context) => {
    const query = present({ from_id: fromId, to_id: toId }) as never;
    const answer = await context.api().call('GET /v1/audit-log/verify', { query });
    if (!answer.valid) context.exit(exitCodes.no);
    show(context, answer, () => facts(answer));
  },
};

async function tail(options: Options, context: Context): Promise<void> {
  const { signal, terminal } = context;
  const address = addressOf('/v1/audit-log/stream', {}, queryOf(options));
  for (let last: string | undefined; !signal.aborted; ) {
    try {
      const headers = last === undefined ? {} : { 'last-event-id': last };
      for await (const { id, data } of entriesOf(await context.api().fetch(address, { headers, signal }))) {
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
  const query = { ...queryOf(options), ...present({ proof }), format };
  const request = () => context.api().fetch(addressOf('/v1/audit-log/export', {}, query));
  const { body, headers } = await whenSealed(request, options, context);
  if (!body) return;
  const stream = Readable.fromWeb(body as never);
  if (output === undefined) {
    // A character may straddle two chunks.
    stream.setEncoding('utf8');
    for await (const text of stream) context.terminal.write(text as string);
    return;
  }
  await pipeline(stream, createWriteStream(output, { flags: 'wx', mode: 0o600 })).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw usageError(`${output} exists already.`, 'Name another file.');
      rmSync(output, { force: true });
      throw error;
    },
  );
  context.terminal.warn(`${headers.get('x-total-count') ?? 'All'} entries written to ${output}\n`);
  if (proof) context.terminal.warn(`orderctl log verify-export ${output} proves it, also away from here.\n`);
}

/** Ids that are printed; `--json` has up to 1,000. */
const maxShown = 20;

/** `log heads` and `log verify-export`: proof that needs no trust in the installation, and no connection to it. */
export const logProof: Commands = {
  'log heads': async ({ limit }: Limited, context) => {
    const answer = await context.api().call('GET /v1/audit-log/heads', { query: { limit: limitOf(limit, 100) } });
    show(context, answer, () => textOf(answer));
  },
  'log verify-export': async ({ file, heads }: { file: string; heads?: string[] }, context) => {
    const proof = await proofOfFile(file, heads, context);
    show(context, proof, () => textOfProof(proof));
  },
  'log receipt': async ({ process, to }: { process: string; to?: string }, { api, terminal }) => {
    const address = addressOf('/v1/audit-log/receipt/{process_id}', { process_id: process }, filterOf(filters, { to }));
    terminal.write(await (await api().fetch(address)).text());
  },
  'log verify-receipt': async ({ file, heads }: { file: string; heads?: string[] }, context) => {
    const receipt: Receipt = { process_id: '', entries: [] };
    const proof = await proofOfFile(file, heads, context, receipt);
    const text = () => `${textOfProof(proof)}${proof.valid ? textOfReceipt(receipt) : ''}`;
    show(context, proof.valid ? { ...proof, receipt } : proof, text);
  },
};

async function proofOfFile(file: string, heads: string[] | undefined, context: Context, receipt?: Receipt) {
  const kept = heads && readHeads(heads);
  const proof = await verifyExport(createReadStream(file), kept, receipt).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error);
  });
  if (!proof.valid) context.exit(exitCodes.no);
  return proof;
}

/** What the webhook was and who vouches for it, and each step as the log tells it. */
function textOfReceipt({ process_id, entries }: Receipt): string {
  const received = entries.find(({ event_type }) => event_type === 'webhook_received')?.details as Fields | undefined;
  const { body_sha256 = null, gateway = null, connection = null, authenticated = null } = received ?? {};
  const sender = connection === null ? gateway : `${gateway}, connection ${connection}`;
  const about = { process: process_id, webhook: body_sha256, sender, authenticated };
  return `${received ? facts(about) : ''}${entries.map((entry) => line(entry as unknown as Entry)).join('')}`;
}

function readHeads(files: readonly string[]): KeptHeads {
  const texts = files.map(readText);
  try {
    const all = texts.map(parseHeads);
    return { keys: all.flatMap(({ keys }) => keys), notes: all.flatMap(({ notes }) => notes) };
  } catch (error) {
    throw usageError((error as Error).message, 'orderctl log heads prints the key and signed heads.');
  }
}

const fromTheBeginning = 'at the beginning of the log (after what retention removed, if anything)';

function textOfProof(proof: ExportProof): string {
  const { valid, line, reason } = proof;
  if (!valid) return facts({ valid, line, reason });
  const entries = counted(proof.entries, 'entry', 'entries');
  return facts({
    valid,
    entries: `${entries}, ids ${proof.first_id} to ${proof.last_id}, under ${counted(proof.seals, 'seal')}`,
    begins: proof.from_the_beginning ? fromTheBeginning : 'after older entries of the log',
    deleted: listed(proof.deleted, proof.deleted_entries),
    'person erased': listed(proof.erased, proof.erased_entries),
    exported: shortTime(proof.exported_at),
    'signed by': proof.origin,
    'kept heads': headsText(proof),
  });
}

function listed(count: number, entries: ExportProof['deleted_entries']): string {
  if (count === 0) return 'none';
  const shown = entries.slice(0, maxShown).map(({ id, by }) => `${id} (${by})`);
  return `${count}: ${shown.join(', ')}${count > shown.length ? ', …' : ''}`;
}

function headsText({ heads, entries }: ExportProof): string {
  if (heads === null) return 'none given: compare the key with one that you trust (--heads)';
  if (heads.fit === 0) return 'the key is theirs; none of them lies in this range';
  return `${heads.fit} fit; they vouch for ${heads.entries} of ${entries} entries, the signature for the rest`;
}
