export type Line = { readonly number: number; readonly bytes: Buffer };

/** What is wrong with a file, and in which line, counted from 1. */
export class NotProved extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

const lineBreak = 10;

/** The lines of a file. Throws NotProved where the last one has no line break: the file was cut off. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Line> {
  let [rest, number] = [Buffer.alloc(0), 0];
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let to = bytes.indexOf(lineBreak); to >= 0; to = bytes.indexOf(lineBreak, from)) {
      number += 1;
      yield { number, bytes: bytes.subarray(from, to) };
      from = to + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) throw new NotProved(number + 1, 'The file ends in the middle of a line.');
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf({ number, bytes }: Line): Fields {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // Said below.
  }
  throw new NotProved(number, 'The line is no JSON object.');
}

export function textField(fields: Fields, name: string, line: number): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new NotProved(line, `${JSON.stringify(name)} is missing or no text.`);
  return value;
}

export function numberField(fields: Fields, name: string, line: number): number {
  const value = fields[name];
  if (!Number.isSafeInteger(value)) throw new NotProved(line, `${JSON.stringify(name)} is missing or no whole number.`);
  return value as number;
}
