import type { Edge } from '../http/edge';
import { importEvents } from './import';

async function* pieces(...texts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

/** The last progress, and the lines that intake was handed; it refuses those that say so. */
async function imported(...texts: (string | Buffer)[]) {
  const handed: string[][] = [];
  const ended: unknown[] = [];
  const ask = async (type: string, input: { lines: string[] }) => {
    if (type === 'intake.import.end.v1') return void ended.push(input);
    handed.push(input.lines);
    const refused = input.lines.flatMap((text, index) => (text === 'no' ? { line: index + 1, reason: 'no' } : []));
    return { accepted: input.lines.length - refused.length, duplicates: 0, refused };
  };
  const edge = { ask, now: () => 0 } as unknown as Pick<Edge, 'ask' | 'now'>;
  const answers: { refusals?: unknown[] }[] = [];
  const target = { gateway: 'generic', connection: null, by: 'ada' };
  for await (const line of importEvents(edge, target, pieces(...texts))) answers.push(JSON.parse(line));
  return { handed, ended, last: answers.at(-1), refusals: answers.flatMap(({ refusals = [] }) => refusals) };
}

test('empty lines are left out, and every refusal has the number of its line', async () => {
  const { handed, refusals, last, ended } = await imported('a', 'b\n\n', ' \nno\nd', '\nno');
  expect(handed).toEqual([['ab', 'no', 'd', 'no']]);
  expect(refusals).toEqual([
    { line: 4, reason: 'no' },
    { line: 6, reason: 'no' },
  ]);
  expect(last).toEqual({ done: true, lines: 4, accepted: 2, duplicates: 0, refused: 2 });
  expect(ended).toMatchObject([{ complete: true, lines: 4, by: 'ada' }]);
});

test('a line that is no text or longer than a webhook is refused by itself', async () => {
  const long = 'x'.repeat(1024 ** 2 + 1);
  const { handed, refusals, last } = await imported('a\n', Buffer.from([0xff, 0xfe, 10]), long, '\nno');
  expect(handed).toEqual([['a'], ['no']]);
  expect(refusals).toEqual([
    { line: 2, reason: 'The line is not UTF-8.' },
    { line: 3, reason: 'The line is longer than 1048576 bytes.' },
    { line: 4, reason: 'no' },
  ]);
  expect(last).toMatchObject({ done: true, lines: 4, accepted: 1, refused: 3 });
});

test('nothing is recorded of an import of which no line can be read', async () => {
  const { handed, ended } = await imported(Buffer.from([0xff, 10]));
  expect([handed, ended]).toEqual([[], []]);
});
