import type { KeptHeads } from './kept-heads';
import type { Fields } from './lines';
import type { VerifierKey } from './note';

type Listed = { readonly id: number; readonly by: string };

type Found = {
  /** The first and the last id of its entries, of deleted ones too. */
  first_id: number | null;
  last_id: number | null;
  seals: number;
  deleted: number;
  readonly deleted_entries: Listed[];
  erased: number;
  readonly erased_entries: Listed[];
};

/** What a file proves. `line` is the first that is wrong, from 1. */
export type ExportProof = Readonly<Found> & {
  readonly valid: boolean;
  readonly line: number | null;
  readonly reason: string | null;
  /** The installation, by its key. */
  readonly origin: string | null;
  readonly exported_at: string | null;
  /** Deleted ones too. */
  readonly entries: number;
  /** Whether nothing of the log is older than the file, but what retention has removed. */
  readonly from_the_beginning: boolean;
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

/** What a receipt shows: the entries of one process. */
export type Receipt = { process_id: string; readonly entries: Fields[] };

export type State = {
  readonly receipt: Receipt | undefined;
  /** Those that the file is compared with. */
  readonly heads: KeptHeads | undefined;
  header: Header | undefined;
  /** Where the chain has come to: the last seal. */
  link: { readonly seal: number; readonly below: number; readonly entries: number; readonly head: string };
  /** Ids and digests since the last seal. */
  open: [id: number, digest: string][];
  /** The id of the entry that was announced as one from which a person was erased. */
  announced: number | undefined;
  readonly found: Found;
  /** Entries behind each kept head that was found in its place. */
  fitting: number[];
  isComplete: boolean;
};

export const beginning = (heads?: KeptHeads, receipt?: Receipt): State => ({
  heads,
  receipt,
  header: undefined,
  link: { seal: 0, below: 0, entries: 0, head: '' },
  open: [],
  announced: undefined,
  found: { first_id: null, last_id: null, seals: 0, deleted: 0, deleted_entries: [], erased: 0, erased_entries: [] },
  fitting: [],
  isComplete: false,
});

export function proofOf({ header, link, found, fitting, heads }: State): ExportProof {
  const before = header?.entries_before ?? 0;
  const [fit, vouched] = [fitting.length, Math.max(before, ...fitting) - before];
  return {
    valid: true,
    line: null,
    reason: null,
    origin: header?.origin ?? null,
    exported_at: header?.exported_at ?? null,
    entries: link.entries - before,
    from_the_beginning: header?.from_the_beginning ?? false,
    ...found,
    heads: heads ? { fit, outside: heads.notes.length - fit, entries: vouched } : null,
  };
}
