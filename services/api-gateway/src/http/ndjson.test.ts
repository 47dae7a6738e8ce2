import { type Batch, ndjsonBatches } from './ndjson';

const limits = { lines: 3, bytes: 100, line: 20 };

async function* pieces(...texts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function batches(...texts: (string | Buffer)[]): Promise<Batch[]> {
  const found: Batch[] = [];
  for await (const batch of ndjsonBatches(pieces(...texts), limits)) found.push(batch);
  return found;
}
const texts = (found: readonly Batch[]) => found.map(({ lines }) => lines.map(({ text }) => text));

test('lines arrive in any pieces, with and without a last line feed', async () => {
  expect(texts(await batches('a\nb', 'b\n', '', '\nc'))).toEqual([['a', 'bb', ''], ['c']]);
  expect(texts(await batches('a\n'))).toEqual([['a']]);
  expect(await batches()).toEqual([]);
  expect(await batches('')).toEqual([]);
});

test('a batch is limited in lines and bytes', async () => {
  expect(texts(await batches('1\n2\n3\n4\n5\n6\n7'))).toEqual([['1', '2', '3'], ['4', '5', '6'], ['7']]);
  const long = 'x'.repeat(19);
  const [first] = await batches(Array.from({ length: 6 }, () => long).join('\n'));
  expect(first).toMatchObject({ bytes: 57, lines: [{ text: long }, { text: long }, { text: long }] });
});

test('a line that is too long or no text is named, and the others are read', async () => {
  const [batch] = await batches('a\n', 'x'.repeat(15), 'y'.repeat(15), '\n', Buffer.from([0xff, 0xfe, 10]));
  expect(batch?.lines).toEqual([
    { text: 'a' },
    { text: '', problem: 'is longer than 20 bytes' },
    { text: '', problem: 'is not UTF-8' },
  ]);
});

test('a character that two pieces share stays whole', async () => {
  const bytes = Buffer.from('é\n');
  expect(texts(await batches(bytes.subarray(0, 1), bytes.subarray(1)))).toEqual([['é']]);
});
