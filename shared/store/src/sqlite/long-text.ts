import { UnsupportedQueryError } from '../errors';
import type { Document } from '../port';
import { encodeQuery } from './codec';

/** What is written of a document: the part that becomes JSON, and the text beside it. */
export type Parted = { readonly rest: object; readonly long: string | undefined };

/** Takes the field of long text out of documents. What SQLite cannot give back as it was, as a text with a zero in it, stays where it is. */
export function partedBy(field: string | undefined): (document: Document) => Parted {
  if (field === undefined) return (document) => ({ rest: document, long: undefined });
  return (document) => {
    const { [field]: long, ...rest } = document as Document & Record<string, unknown>;
    if (typeof long !== 'string' || long.includes('\0')) return { rest: document, long: undefined };
    return { rest, long: long.toWellFormed() };
  };
}

/** The text of filters, sorts and updates. One that names the field, at whatever depth, is refused. */
export function queryTextWithout(field: string | undefined): (query: object) => string {
  if (field === undefined) return encodeQuery;
  const refuse = (query: unknown): void => {
    if (typeof query !== 'object' || query === null) return;
    for (const [name, inner] of Object.entries(query)) {
      if (name === field) throw new UnsupportedQueryError(`${field} is long text: it comes and goes with its document`);
      refuse(inner);
    }
  };
  return (query) => {
    refuse(query);
    return encodeQuery(query);
  };
}
