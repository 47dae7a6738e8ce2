/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Piece = Html | string | number | undefined | false | readonly Piece[];

function textOf(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (Array.isArray(piece)) return piece.map(textOf).join('');
  if (piece === undefined || piece === false) return '';
  return String(piece).replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** HTML of a template; whatever is put into it is escaped, unless it is HTML. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.reduce((text, string, index) => text + string + textOf(pieces[index]), ''));
}
