import { parseYaml } from './request-body';

const bytes = (text: string) => Buffer.from(text);

test.each([['['], ['- '], ['{a: '], ['? '], ['&a [']])('%j, 200,000 levels deep, is refused at once', (open) => {
  expect(() => parseYaml(bytes(open.repeat(200_000)))).toThrow('nests deeper than 64 levels');
});

test('64 levels are read, and no more by aliases either', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(JSON.stringify(parseYaml(bytes(nested(64))))).toBe(nested(64));
  expect(() => parseYaml(bytes(nested(65)))).toThrow('64 levels');
  const blocks = (levels: number) => `${'- '.repeat(levels)}end`;
  expect(parseYaml(bytes(blocks(64)))).toBeDefined();
  expect(() => parseYaml(bytes(blocks(70)))).toThrow('64 levels');
  const joined = `a: &a ${nested(40)}\nb: &b ${'['.repeat(30)}*a${']'.repeat(30)}\n`;
  expect(() => parseYaml(bytes(joined))).toThrow('64 levels');
});
