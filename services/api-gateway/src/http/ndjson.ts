import { isUtf8 } from 'node:buffer';

/** One line, without a byte order mark; `problem` says why it could not be read, and `text` is empty then. */
export type NdjsonLine = { readonly text: string; readonly problem?: string };
export type Batch = { readonly lines: readonly NdjsonLine[]; readonly bytes: number };

export type BatchLimits = {
  readonly lines: number;
  readonly bytes: number;
  /** Longer ones are not kept. */
  readonly line: number;
};

const lineFeed = 10;

/** Lines as they arrive, in batches; what is held is a batch, a line and a piece of the body. */
export async function* ndjsonBatches(pieces: AsyncIterable<Buffer>, limits: BatchLimits): AsyncGenerator<Batch> {
  const line = growingLine(limits.line);
  let lines: NdjsonLine[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const end = piece.indexOf(lineFeed, from);
      line.add(piece.subarray(from, end < 0 ? piece.length : end));
      from = end < 0 ? piece.length : end + 1;
      if (end < 0) continue;
      bytes += line.size();
      lines.push(line.take());
      if (lines.length < limits.lines && bytes < limits.bytes) continue;
      yield { lines, bytes };
      lines = [];
      bytes = 0;
    }
  }
  if (line.size() > 0) {
    bytes += line.size();
    lines.push(line.take());
  }
  if (lines.length > 0) yield { lines, bytes };
}

function growingLine(longest: number) {
  let parts: Buffer[] = [];
  let size = 0;
  return {
    add: (part: Buffer): void => {
      size += part.length;
      if (size > longest) parts = [];
      else if (part.length > 0) parts.push(part);
    },
    size: () => size,
    take: (): NdjsonLine => {
      const tooLong = size > longest;
      const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      parts = [];
      size = 0;
      if (tooLong) return { text: '', problem: `is longer than ${longest} bytes` };
      return isUtf8(bytes) ? { text: bytes.toString().replace(/^\uFEFF/, '') } : { text: '', problem: 'is not UTF-8' };
    },
  };
}
