import { createHash } from 'node:crypto';
import { checkFirstLine, checkLastLine, checkLine } from './check-lines';
import { beginning, type ExportProof, proofOf, type Receipt } from './export-proof';
import type { KeptHeads } from './kept-heads';
import { fieldsOf, linesOf, NotProved } from './lines';

/**
 * Checks an export of the log with proof by itself alone (decision 12): every entry by its digest, every seal by its entries and the seal before, the
 * last head and the file by their signatures, and kept heads by the seals that they were made of. With `receipt` the file is a receipt, and its entries are added
 * there. Never throws for what a file says.
 */
export async function verifyExport(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  heads?: KeptHeads,
  receipt?: Receipt,
): Promise<ExportProof> {
  const state = beginning(heads, receipt);
  const hash = createHash('sha256');
  let last = 0;
  try {
    for await (const line of linesOf(chunks)) {
      last = line.number;
      if (state.isComplete) throw new NotProved(last, 'The file goes on after its last line.');
      const fields = fieldsOf(line);
      if (state.header === undefined) checkFirstLine(fields, state);
      else if ('checkpoint' in fields) checkLastLine(line, fields, state, hash.copy().digest('base64'));
      else checkLine(line, fields, state);
      hash.update(line.bytes).update('\n');
    }
    if (!state.isComplete) throw new NotProved(last + 1, 'The file ends before its last line.');
    return proofOf(state);
  } catch (error) {
    if (error instanceof NotProved) return { ...proofOf(state), valid: false, line: error.line, reason: error.message };
    throw error;
  }
}
