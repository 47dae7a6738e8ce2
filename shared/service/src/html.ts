import escaped from 'escape-html';

/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

/** Text for an element or a quoted attribute; control characters, which no browser shows, become a replacement character. */
export const escapeHtml = (text: string): string => escaped(text.replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd'));

type Piece = Html | string | number | null | undefined | false | readonly Piece[];

function textOf(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (Array.isArray(piece)) return piece.map(textOf).join('');
  return piece === undefined || piece === null || piece === false ? '' : escapeHtml(String(piece));
}

/** HTML of a template; whatever is put into it is escaped, unless it is HTML. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.reduce((text, string, index) => text + string + textOf(pieces[index]), ''));
}
