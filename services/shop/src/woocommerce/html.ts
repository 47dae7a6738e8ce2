import { decodeHTMLStrict } from 'entities';

/** Entities become what they stand for. */
export const decoded = (html: string): string => decodeHTMLStrict(html);

export const plainText = (html: unknown): string => decoded(String(html ?? '').replace(/<[^>]*>/g, '')).trim();

/** Text as WordPress takes it: it removes one backslash of two, and what looks like a tag that it does not know. */
export const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
