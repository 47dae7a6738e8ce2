import {
  BulkWriteError,
  DuplicateKeyError,
  StoreUnavailableError,
  UnsupportedQueryError,
  UpdateRefusedError,
  type WriteError,
} from '../errors';
import type { Index } from '../port';
import type { Contents } from './columns';
import type { FileOptions } from './connection';

/** What travels between a store and the thread that has its file. Documents, filters and updates travel as text (codec.ts). */

export type Change = { readonly filter: string; readonly update: string } | Replacement;
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
  | { readonly kind: 'count'; readonly collection: string; readonly filter: string }
  | { readonly kind: 'explain'; readonly collection: string; readonly filter: string; readonly sort: string };

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
  | { readonly kind: 'updateOne' | 'updateMany'; readonly collection: string; readonly change: Change }
  | { readonly kind: 'deleteMany'; readonly collection: string; readonly filter: string }
  | { readonly kind: 'check' | 'scrub' };

export type Operation = Read | Write;

export type Request =
  | {
      readonly id: number;
      readonly kind: 'open';
      readonly database: number;
      readonly file: string;
      readonly options: FileOptions;
    }
  | { readonly id: number; readonly kind: 'close'; readonly database: number }
  | { readonly id: number; readonly kind: 'operation'; readonly database: number; readonly operation: Operation };

export type Reply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: WireError };

export type WireError = {
  readonly name: string;
  readonly message: string;
  readonly code?: number | undefined;
  readonly writeErrors?: readonly WriteError[] | undefined;
};

/** An error as it crosses from one thread to the other. */
export function toWire(error: unknown): WireError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  if (error instanceof BulkWriteError) return { name, message, writeErrors: error.writeErrors };
  if (error instanceof UpdateRefusedError) return { name, message, code: error.code };
  return { name, message };
}

export function fromWire(wire: WireError): Error {
  switch (wire.name) {
    case 'BulkWriteError':
      return new BulkWriteError(wire.writeErrors ?? []);
    case 'DuplicateKeyError':
      return new DuplicateKeyError(wire.message);
    case 'StoreUnavailableError':
      return new StoreUnavailableError(wire.message);
    case 'UnsupportedQueryError':
      return new UnsupportedQueryError(wire.message);
    case 'UpdateRefusedError':
      return new UpdateRefusedError(wire.code ?? 2, wire.message);
    default:
      return Object.assign(new Error(wire.message), { name: wire.name });
  }
}
