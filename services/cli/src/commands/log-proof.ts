import { createReadStream } from 'node:fs';
import { type Commands, limited } from '../commands';
import { show } from '../context';
import { exitCodes, readText, unreadable, usageError } from '../failure';
import { counted, facts, shortTime } from '../output';
import type { ExportProof } from '../proof/export-proof';
import { type KeptHeads, parseHeads, textOf } from '../proof/kept-heads';
import { verifyExport } from '../proof/verify-export';
import { type Limited, limitOf } from '../values';

/** Ids that are printed; `--json` has up to 1,000. */
const maxShown = 20;

/** `log heads` and `log verify-export`: proof that needs no trust in the installation, and no connection to it. */
export const logProof: Commands = {
  'log heads': {
    about: 'print the public key of the log and its latest signed heads: keep them elsewhere',
    options: limited,
    run: async ({ limit }: Limited, context) => {
      const answer = await context.api().call('GET /v1/audit-log/heads', { query: { limit: limitOf(limit, 100) } });
      show(context, answer, () => textOf(answer));
    },
  },
  'log verify-export': {
    about: 'prove offline that an export is complete and unedited (exit code 1 when it is not)',
    takes: { '<file>': 'what log export --proof has written' },
    options: { '--heads <file...>': 'what log heads printed earlier, or the key of the log alone' },
    run: async ({ file, heads }: { file: string; heads?: string[] }, context) => {
      const kept = heads && readHeads(heads);
      const proof = await verifyExport(createReadStream(file), kept).catch((error: NodeJS.ErrnoException) => {
        throw unreadable(file, error);
      });
      if (!proof.valid) context.exit(exitCodes.no);
      show(context, proof, () => textOfProof(proof));
    },
  },
};

function readHeads(files: readonly string[]): KeptHeads {
  const texts = files.map(readText);
  try {
    const all = texts.map(parseHeads);
    return { keys: all.flatMap(({ keys }) => keys), notes: all.flatMap(({ notes }) => notes) };
  } catch (error) {
    const { message } = error as Error;
    throw usageError(message, 'orderctl log heads prints the key and signed heads.');
  }
}

const fromTheBeginning = 'where the log begins, behind what retention removed';

function textOfProof(proof: ExportProof): string {
  const { valid, line, reason } = proof;
  if (!valid) return facts({ valid, line, reason });
  const entries = counted(proof.entries, 'entry', 'entries');
  return facts({
    valid,
    entries: `${entries}, ids ${proof.first_id} to ${proof.last_id}, under ${counted(proof.seals, 'seal')}`,
    begins: proof.from_the_beginning ? fromTheBeginning : 'behind older entries of the log',
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
