/** What WordPress keeps of a note: one backslash less, no unknown tags, ampersands as entities. */
export function keptNote(text: string): string {
  return text
    .replace(/\\(.?)/gs, '$1')
    .replace(/&(?!(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);)/gi, '&amp;')
    .replace(/<(?!!--)[^>]*>?/g, (tag) =>
      /^<\/?(a|b|strong|em|i|br|p|code|blockquote|del|s|q|cite|abbr)\b/i.test(tag) ? tag : '',
    );
}
