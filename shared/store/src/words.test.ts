import { withBeginnings, wordsOf } from './words';

test.each([
  ['Order 1010 paid, by Müller.', ['order', '1010', 'paid', 'by', 'muller']],
  ['pi_3Nx-ABC paid PAID', ['pi', '3nx', 'abc', 'paid']],
  ['Ünïcödé ＡＢＣ ﬁne', ['unicode', 'abc', 'fine']],
  ['漢字 😀 -- ', ['漢字']],
  ['', []],
])('words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('a word has at most 64 characters', () => {
  expect(wordsOf('x'.repeat(100))).toEqual(['x'.repeat(64)]);
});

test('beginnings of words', () => {
  expect(withBeginnings(['mug', 'm'])).toEqual(['mug', 'm', 'mu']);
});
