import { type BatchLimits, lineBatches } from './lines';

async function* chunks(...texts: (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text;
}

async function batchesOf(limits: BatchLimits, ...texts: (string | Uint8Array)[]): Promise<string[][]> {
  const batches: string[][] = [];
  for await (const lines of lineBatches(chunks(...texts), limits))
    batches.push(lines.map(({ number, text }) => `${number}:${text}`));
  return batches;
}

const limits = { lines: 2, characters: 1_000, longestLine: 10 };

test('lines run over chunks, empty ones are left out and keep their number', async () => {
  expect(await batchesOf(limits, 'a', 'b\n\n', ' \nc\nd', '\ne')).toEqual([
    ['1:ab', '4:c'],
    ['5:d', '6:e'],
  ]);
  expect(await batchesOf(limits, '')).toEqual([]);
  expect(await batchesOf(limits, 'a\n')).toEqual([['1:a']]);
});

test('a character that two chunks share stays one', async () => {
  const euro = Buffer.from('€');
  expect(await batchesOf(limits, euro.subarray(0, 1), euro.subarray(1))).toEqual([['1:€']]);
});

test('a line that is too long is cut, also when it comes in many chunks', async () => {
  expect(await batchesOf(limits, 'x'.repeat(8), 'y'.repeat(8), 'z'.repeat(8), '\nnext')).toEqual([
    ['1:xxxxxxxxyy', '2:next'],
  ]);
});

test('a batch ends when it has enough characters', async () => {
  expect(await batchesOf({ lines: 100, characters: 4, longestLine: 10 }, 'abcd\ne\nfgh\ni')).toEqual([
    ['1:abcd'],
    ['2:e', '3:fgh'],
    ['4:i'],
  ]);
});
