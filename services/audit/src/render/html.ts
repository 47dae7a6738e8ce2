/** HTML that is safe to insert: made by `html` alone, which escapes every value that is not HTML itself. */
export type Html = { readonly html: string };

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or a quoted attribute; control characters, which no browser shows, become a replacement character. */
export function escapeText(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd').replace(/[&<>"']/g, (found) => escapes[found] ?? '');
}

type Value = Html | string | number | boolean | null | undefined | readonly Html[];

const rendered = (value: Value): string => {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return escapeText(String(value));
  return 'html' in value ? value.html : value.map(({ html }) => html).join('');
};

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return {
    html: parts.map((part, index) => `${part}${index < values.length ? rendered(values[index]) : ''}`).join(''),
  };
}
