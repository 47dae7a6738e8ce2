import type { Index } from '../port';
import type { Contents } from './columns';
import type { FileOptions } from './connection';

/** What travels between a store and the thread that has its file. Documents, filters and updates travel as text (codec.ts). */

export type FieldUpdate = { readonly filter: string; readonly update: string };
export type Change = FieldUpdate | Replacement;
/** `doc`: the new text of the document that the filter names by its `_id`; `contents`: what then stands in the columns. */
export type Replacement = { readonly filter: string; readonly doc: string; readonly contents: Contents };

export type Read =
  | {
      readonly kind: 'find';
      readonly collection: string;
      readonly filter: string;
      readonly sort: string;
      readonly skip: number;
      readonly limit: number;
      /** Fields to leave out. */
      readonly without: readonly string[];
      /** Paths to return alone; none: the whole document. */
      readonly only: readonly string[];
      /** The filter names the documents by their ids. */
      readonly named: boolean;
    }
  | { readonly kind: 'count'; readonly collection: string; readonly filter: string };

export type Declare = { readonly kind: 'collection'; readonly collection: string; readonly indexes: readonly Index[] };

export type Write =
  | Declare
  /** Ids and documents side by side: what crosses to the thread as two lists of text costs half of a list of objects. */
  | {
      readonly kind: 'insert';
      readonly collection: string;
      readonly ids: readonly (string | bigint)[];
      readonly docs: readonly string[];
      /** What stands in the columns (columns.ts), by document: a list for each. */
      readonly contents: readonly Contents[];
      /** The texts of each word index, by document; empty where it has none. */
      readonly words: readonly (readonly string[])[];
      readonly ordered: boolean;
    }
  | {
      readonly kind: 'update';
      readonly collection: string;
      readonly changes: readonly Change[];
      readonly ordered: boolean;
    }
  | { readonly kind: 'updateOne' | 'updateMany'; readonly collection: string; readonly change: FieldUpdate }
  | { readonly kind: 'deleteMany'; readonly collection: string; readonly filter: string }
  | { readonly kind: 'check' | 'scrub' };

export type Operation = Read | Write;

/** What a thread with files is asked for; `database` is the number of a file. */
export type Request =
  | { readonly kind: 'open'; readonly database: number; readonly file: string; readonly options: FileOptions }
  | { readonly kind: 'close'; readonly database: number }
  | { readonly kind: 'operation'; readonly database: number; readonly operation: Operation };
