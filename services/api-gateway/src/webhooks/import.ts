import { newProcessId } from '@order-automation/contracts';
import type { Edge } from '../http/edge';
import { lineBatches } from './lines';

export const importLimit = 4 * 1024 ** 3;
/** A line may be as long as a webhook, and one character more, so that a longer one is refused. */
const batches = { lines: 100, characters: 1024 ** 2, longestLine: 1024 ** 2 + 1 };
/** Milliseconds for each batch of lines. */
const batchTimeout = 10_000;

type Target = { readonly gateway: string; readonly connection: string | null; readonly by: string };

/** Hands the lines of an export to intake, batch after batch; NDJSON with the progress. The log says who began it and how it ended. */
export async function* importEvents(
  edge: Pick<Edge, 'ask' | 'now'>,
  { by, ...target }: Target,
  bytes: AsyncIterable<Uint8Array>,
): AsyncIterable<string> {
  const process_id = newProcessId(edge.now());
  const totals = { lines: 0, accepted: 0, duplicates: 0, refused: 0 };
  let [begun, complete] = [false, false];
  try {
    for await (const lines of lineBatches(bytes, batches)) {
      const begins = begun ? {} : { begins: { process_id, by } };
      const input = { ...target, lines: lines.map(({ text }) => text), ...begins };
      const { accepted, duplicates, refused } = await edge.ask('intake.import.v1', input, batchTimeout);
      begun = true;
      totals.lines += lines.length;
      totals.accepted += accepted;
      totals.duplicates += duplicates;
      totals.refused += refused.length;
      const refusals = refused.map(({ line, reason }) => ({ line: lines[line - 1]?.number ?? line, reason }));
      yield `${JSON.stringify({ done: false, ...totals, refusals })}\n`;
    }
    complete = true;
    yield `${JSON.stringify({ done: true, ...totals })}\n`;
  } finally {
    if (begun) await edge.ask('intake.import.end.v1', { ...target, process_id, by, complete, ...totals }, batchTimeout);
  }
}
