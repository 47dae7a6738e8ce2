import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHeads, textOf } from './kept-heads';
import { parseKey } from './note';

type Example = { output: { verifier_key: string; heads: { checkpoint: string }[] } };
const golden = join(__dirname, '../../../../shared/contracts/golden/audit.head.list.v1.json');
const [{ output } = { output: { verifier_key: '', heads: [] } }] = JSON.parse(
  readFileSync(golden, 'utf8'),
) as Example[];
const text = textOf(output);

test('heads are read from text, from JSON, and from what was appended day by day, each once', () => {
  for (const kept of [
    text,
    JSON.stringify(output),
    `${text}\n${text}`,
    `— Anna\n${text}`,
    `# Monday\r\n${text.replaceAll('\n', '\r\n')}`,
  ]) {
    const { keys, notes } = parseHeads(kept);
    expect(keys.map((key) => key.text)).toEqual([output.verifier_key]);
    expect(notes.map(({ count }) => count)).toEqual([9]);
  }
});

test('the key alone is enough; a head that it has not signed, and another key than its id says, are refused', () => {
  expect(parseHeads(`${output.verifier_key}\n`).notes).toEqual([]);
  expect(() => parseHeads('nothing')).toThrow('There is no key');
  expect(() => parseHeads(text.replace('\n9\n', '\n8\n'))).toThrow('over 8 entries is not signed');
  expect(parseKey(output.verifier_key.replace('+0c9007da+', '+0c9007db+'))).toBeUndefined();
});

// docs/guide/read-the-log.md: heads "taken now and then" vouch for the log; one that a mail program has wrapped must not count as none.
test('a head whose lines were cut or joined is refused, not passed over', () => {
  const wrapped = text.replace(/^(— \S+) /gm, '$1\n');
  for (const damaged of [wrapped, text.replace('\n9\n', '\n9 \n'), text.replace(/^(— .{60})/gm, '$1 ')])
    expect(() => parseHeads(damaged)).toThrow('not as it was printed');
});
