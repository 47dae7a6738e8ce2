import { deflateRawSync, inflateRawSync } from 'node:zlib';
import samples from './dictionary.json';

/** A document as its row has it: JSON text, or what `compressedText` made of it. */
export type StoredText = string | Uint8Array;

/** Characters from which on a document is compressed: what a short one would save is not worth its time. */
const longDocument = 700;

/** The first byte of a compressed document. */
const format = 1;
const prefix = Buffer.of(format);
/**
 * What documents have in common: the fields of webhooks, orders, evaluations and records of the log, with values that many of them share. Data that
 * was written with it needs every byte of it for ever: another dictionary is a further format, never an edit of this one.
 */
export const dictionary = Buffer.from(samples.join(''));
/** Chunks that come from Node's pool of buffers: most documents are one. */
const options = { level: 3, chunkSize: 4000, dictionary };

/** The number of its format, then raw deflate (RFC 1951) with the dictionary of that format. */
const compressedText = (text: string): Buffer => Buffer.concat([prefix, deflateRawSync(text, options)]);

/** The JSON text of a document, either way it is stored. Throws on a blob that is not of a known format. */
export function plainText(stored: StoredText): string {
  if (typeof stored === 'string') return stored;
  if (stored[0] !== format)
    throw new Error(`A document is compressed in format ${stored[0]}, which is not known here.`);
  return inflateRawSync(stored.subarray(1), options).toString();
}

/** SQL for the JSON text of a document; `doc` is SQL for what its row has. */
export const plainSql = (doc: string): string => `iif(typeof(${doc}) = 'blob', plain(${doc}), ${doc})`;

/** SQL for the JSON text of the document of a row. */
export const docSql = plainSql('doc');

/** SQL for what the row gets in place of its document: one that was compressed is again; `text` is SQL for its JSON text. */
export const storedSql = (text: string): string => `iif(typeof(doc) = 'blob', compressed(${text}), ${text})`;

export type Compression = ReturnType<typeof newCompression>;

/** The functions that this SQL calls. Documents of so many characters and more are compressed. */
export function newCompression(minLength = longDocument) {
  let last: Buffer | undefined;
  let text = '';
  return {
    compressed: (document: string): StoredText => (document.length < minLength ? document : compressedText(document)),
    /** A statement asks for the document of a row at each path that it names: what was asked for last is kept. */
    plain: (stored: string | Buffer): string => {
      if (typeof stored === 'string') return stored;
      if (last === undefined || !stored.equals(last)) [text, last] = [plainText(stored), stored];
      return text;
    },
  };
}
