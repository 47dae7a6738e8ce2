import {
  type BulkCounts,
  BulkWriteError,
  DuplicateKeyError,
  type KeyValue,
  StoreUnavailableError,
  UnsupportedQueryError,
  UpdateRefusedError,
  type WriteError,
} from '../errors';
import type { Index } from '../port';
import type { Content } from './columns';
import type { FileOptions } from './connection';

/** What travels between a store and the thread that has its file. Documents, filters and updates travel as text (codec.ts). */

/** `columns` are the names of those meant, joined: a table may have got others since. */
export type Contents = { readonly columns: string; readonly values: readonly Content[] };

/** `long` is what the field of long text holds, which `doc` lacks then. */
export type Insert = { readonly id: string | bigint; readonly doc: string; readonly long?: string | undefined };
export type Change = { readonly filter: string; readonly update: string; readonly upsert: boolean };

export type BulkStep =
  | { readonly kind: 'insert'; readonly insert: Insert }
  | { readonly kind: 'update'; readonly change: Change }
  | { readonly kind: 'delete'; readonly filter: string };

export type Read =
  | {
      readonly kind: 'find';
      readonly collection: string;
      readonly filter: string;
      readonly sort: string;
      readonly skip: number;
      readonly limit: number;
      /** The filter names the documents by their ids. */
      readonly named: boolean;
      /** Without the long text. */
      readonly short: boolean;
    }
  | { readonly kind: 'count'; readonly collection: string; readonly filter: string }
  | { readonly kind: 'explain'; readonly collection: string; readonly filter: string; readonly sort: string };

export type Declare = {
  readonly kind: 'collection';
  readonly collection: string;
  readonly indexes: readonly Index[];
  readonly longText: string | undefined;
};

export type Write =
  | Declare
  | { readonly kind: 'insertOne'; readonly collection: string; readonly insert: Insert }
  /** Ids and documents side by side: what crosses to the thread as two lists of text costs half of a list of objects. */
  | {
      readonly kind: 'insertMany';
      readonly collection: string;
      readonly ids: readonly (string | bigint)[];
      readonly docs: readonly string[];
      /** Where the sender knows it: what the columns hold, for one document after the other. */
      readonly contents?: Contents | undefined;
      readonly ordered: boolean;
    }
  | {
      readonly kind: 'bulk';
      readonly collection: string;
      readonly steps: readonly BulkStep[];
      readonly ordered: boolean;
    }
  | { readonly kind: 'updateOne' | 'updateMany'; readonly collection: string; readonly change: Change }
  | { readonly kind: 'findOneAndUpdate'; readonly collection: string; readonly change: Change; readonly after: boolean }
  | { readonly kind: 'deleteOne' | 'deleteMany'; readonly collection: string; readonly filter: string }
  | { readonly kind: 'check' };

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
  readonly keyPattern?: KeyValue | undefined;
  readonly keyValue?: KeyValue | undefined;
  readonly writeErrors?: readonly WriteError[] | undefined;
  readonly counts?: BulkCounts | undefined;
};

/** An error as it crosses from one thread to the other. */
export function toWire(error: unknown): WireError {
  if (error instanceof BulkWriteError) {
    const { insertedCount, matchedCount, modifiedCount, upsertedCount, deletedCount } = error;
    const counts = { insertedCount, matchedCount, modifiedCount, upsertedCount, deletedCount };
    return { name: error.name, message: error.message, writeErrors: error.writeErrors, counts };
  }
  if (error instanceof DuplicateKeyError) {
    const { name, message, keyPattern, keyValue } = error;
    return { name, message, keyPattern, keyValue };
  }
  if (error instanceof UpdateRefusedError) return { name: error.name, message: error.message, code: error.code };
  if (error instanceof Error) return { name: error.name, message: error.message };
  return { name: 'Error', message: String(error) };
}

export function fromWire(wire: WireError): Error {
  switch (wire.name) {
    case 'BulkWriteError':
      if (wire.writeErrors && wire.counts) return new BulkWriteError(wire.writeErrors, wire.counts);
      return new Error(wire.message);
    case 'DuplicateKeyError':
      return new DuplicateKeyError(wire.message, wire.keyPattern ?? {}, wire.keyValue ?? {});
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
