import type { KeptHeads } from './kept-heads';
import type { VerifierKey } from './note';

export type Listed = { readonly id: number; readonly by: string };

/** What a file proves. `line` is the first that is wrong, from 1. */
export type ExportProof = {
  readonly valid: boolean;
  readonly line: number | null;
  readonly reason: string | null;
  /** The installation, by its key. */
  readonly origin: string | null;
  readonly exported_at: string | null;
  /** Entries, deleted ones too, and the first and last of their ids. */
  readonly entries: number;
  readonly first_id: number | null;
  readonly last_id: number | null;
  readonly seals: number;
  /** Whether nothing of the log is older than the file, but what retention has removed. */
  readonly from_the_beginning: boolean;
  readonly deleted: number;
  readonly deleted_entries: readonly Listed[];
  readonly erased: number;
  readonly erased_entries: readonly Listed[];
  /** Kept heads that fit, and how many entries of the file the newest of them vouches for; null where none was given. */
  readonly heads: { readonly fit: number; readonly outside: number; readonly entries: number } | null;
};

export type Header = {
  readonly origin: string;
  readonly keys: readonly VerifierKey[];
  readonly exported_at: string;
  readonly last_seal: number;
  readonly below_id: number;
  readonly entries: number;
  readonly entries_before: number;
  readonly from_the_beginning: boolean;
};

/** Where the chain has come to: the last seal. */
type Link = { readonly seal: number; readonly below: number; readonly entries: number; readonly head: string };

export type State = {
  header: Header | undefined;
  link: Link;
  /** Ids and digests since the last seal. */
  open: [id: number, digest: string][];
  /** The id of the entry that was announced as one from which a person was erased. */
  announced: number | undefined;
  firstId: number | null;
  lastId: number | null;
  seals: number;
  deleted: number;
  deletedEntries: Listed[];
  erased: number;
  erasedEntries: Listed[];
  /** Entries behind each kept head that was found in its place. */
  fitting: number[];
  isComplete: boolean;
};

export const beginning = (): State => ({
  header: undefined,
  link: { seal: 0, below: 0, entries: 0, head: '' },
  open: [],
  announced: undefined,
  firstId: null,
  lastId: null,
  seals: 0,
  deleted: 0,
  deletedEntries: [],
  erased: 0,
  erasedEntries: [],
  fitting: [],
  isComplete: false,
});

export function proofOf(state: State, heads: KeptHeads | undefined): ExportProof {
  const { header, link, firstId, lastId, seals, deleted, deletedEntries, erased, erasedEntries, fitting } = state;
  const before = header?.entries_before ?? 0;
  return {
    valid: true,
    line: null,
    reason: null,
    origin: header?.origin ?? null,
    exported_at: header?.exported_at ?? null,
    entries: link.entries - before,
    first_id: firstId,
    last_id: lastId,
    seals,
    from_the_beginning: header?.from_the_beginning ?? false,
    deleted,
    deleted_entries: deletedEntries,
    erased,
    erased_entries: erasedEntries,
    heads: heads
      ? {
          fit: fitting.length,
          outside: heads.notes.length - fitting.length,
          entries: Math.max(before, ...fitting) - before,
        }
      : null,
  };
}
