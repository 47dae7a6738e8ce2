import { newProcessId, type RequestOutput } from '@order-automation/contracts';
import type { Edge } from '../http/edge';
import { ndjsonBatches } from '../http/ndjson';

export const importLimit = 4 * 1024 ** 3;
/** A line may be as long as a webhook. */
const batches = { lines: 100, bytes: 1024 ** 2, line: 1024 ** 2 };
/** Milliseconds for each batch of lines. */
const batchTimeout = 10_000;

/** Hands the lines of an export to intake, batch after batch; NDJSON with the progress. The log says who began it and how it ended. */
export async function* importEvents(
  edge: Pick<Edge, 'ask' | 'now'>,
  { by, ...target }: { readonly gateway: string; readonly connection: string | null; readonly by: string },
  bytes: AsyncIterable<Buffer>,
): AsyncIterable<string> {
  const process_id = newProcessId(edge.now());
  const totals = { lines: 0, accepted: 0, duplicates: 0, refused: 0 };
  let [begun, complete] = [false, false];
  try {
    let read = 0;
    for await (const batch of ndjsonBatches(bytes, batches)) {
      const lines = batch.lines
        .map(({ text, problem }, index) => ({ text, problem, number: read + index + 1 }))
        .filter(({ text, problem }) => problem !== undefined || text.trim() !== '');
      read += batch.lines.length;
      if (lines.length === 0) continue;
      const readable = lines.filter(({ problem }) => problem === undefined);
      let answer: RequestOutput<'intake.import.v1'> = { accepted: 0, duplicates: 0, refused: [] };
      if (readable.length > 0) {
        const begins = begun ? {} : { begins: { process_id, by } };
        const input = { ...target, lines: readable.map(({ text }) => text), ...begins };
        answer = await edge.ask('intake.import.v1', input, batchTimeout);
        begun = true;
      }
      const { accepted, duplicates, refused } = answer;
      const refusals = [
        ...lines.flatMap(({ number, problem }) => (problem ? { line: number, reason: `The line ${problem}.` } : [])),
        ...refused.map(({ line, reason }) => ({ line: readable[line - 1]?.number ?? line, reason })),
      ];
      totals.lines += lines.length;
      totals.accepted += accepted;
      totals.duplicates += duplicates;
      totals.refused += refusals.length;
      yield `${JSON.stringify({ done: false, ...totals, refusals })}\n`;
    }
    complete = true;
    yield `${JSON.stringify({ done: true, ...totals })}\n`;
  } finally {
    if (begun) await edge.ask('intake.import.end.v1', { ...target, process_id, by, complete, ...totals }, batchTimeout);
  }
}
