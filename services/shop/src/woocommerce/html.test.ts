import { keptNote } from '../../test/woocommerce-server/kept-note';
import { decoded, escaped, plainText } from './html';

test.each(['back\\slash C:\\temp', '5 < 6 > 4', '<script>x</script>', 'a & b &amp; c', '\'q\' "q" 😀', 'two\n\nlines'])(
  'a note arrives as it was written: %j',
  (text) => expect(decoded(keptNote(escaped(text)))).toBe(text),
);

test.each([
  ['Versand &#038; R&#xFC;ckgabe &ndash; &#8220;Fragen&#8221;', 'Versand & Rückgabe – “Fragen”'],
  ['<mark class="status">On hold</mark>', 'On hold'],
  ['Caf&eacute; &szlig;&Auml; &times; &rarr; &bull;&nbsp;&zwnj;&frac12;', 'Café ßÄ × → •\u00a0\u200c½'],
  ['&unknown; AT&T &copy 2026', '&unknown; AT&T &copy 2026'],
  ['&#0; &#x110000;', '\ufffd \ufffd'],
  ['Card & more <span class="icon"></span>', 'Card & more'],
  ['Test card &amp; <b>more</b>', 'Test card & more'],
])('%s is shown as %s', (html, text) => expect(plainText(html)).toBe(text));
