/** A line of a text that need not fit into memory, with its number from 1 on. */
export type Line = { readonly number: number; readonly text: string };

export type BatchLimits = { readonly lines: number; readonly characters: number; readonly longestLine: number };

/**
 * The lines of UTF-8 bytes in batches, without those that hold nothing: a batch ends when it has `lines` lines or more than `characters`
 * characters. A line that is too long is cut, so that it is refused by itself.
 */
export async function* lineBatches(bytes: AsyncIterable<Uint8Array>, limits: BatchLimits): AsyncIterable<Line[]> {
  const { lines, characters, longestLine } = limits;
  let batch: Line[] = [];
  let size = 0;
  for await (const line of linesOf(bytes, longestLine)) {
    if (line.text.trim() === '') continue;
    batch.push(line);
    size += line.text.length;
    if (batch.length < lines && size < characters) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>, longest: number): AsyncIterable<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  for await (const chunk of bytes) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      number += 1;
      yield { number, text: (rest + part).slice(0, longest) };
      rest = '';
    }
    if (rest.length < longest) rest = (rest + last).slice(0, longest);
  }
  yield { number: number + 1, text: rest + decoder.decode() };
}
