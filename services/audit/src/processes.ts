import type { Documents, Filter } from '@order-automation/store';
import type { Bundle } from './bundles';
import { type BundleDocument, factsOf } from './bundling';
import type { EntryFacts } from './logged-entry';
import type { Outline } from './outlines';
import { type ProcessSummary, summarise, type Visibility, visibilityOf } from './process-summary';
import { bundleQueries } from './selection';

/** What is known of a process. */
export type ProcessRow = ProcessSummary & { readonly process_id: string };
export type ProcessStart = Pick<BundleDocument, '_id' | 'process_id' | 'started_at'>;

type Wanted = Filter<BundleDocument>;

export const processQueries = {
  firsts: (ids: readonly string[]): Wanted => ({ process_id: { $in: ids }, n: 0 }),
  timeline: (visibility: Visibility): Wanted => ({ visibility: { $eq: visibility } }),
};
export const timelineSort = { started_at: -1, _id: -1 } as const;

const visibilities = new WeakMap<Outline, Visibility>();

function visibilityIn(outline: Outline): Visibility {
  const known = visibilities.get(outline);
  if (known !== undefined) return known;
  const visibility = visibilityOf(outline.parts);
  visibilities.set(outline, visibility);
  return visibility;
}

/** The first bundle of a process that has these, as it is stored. It speaks of the others a moment before they are there. */
export function firstOf(bundles: readonly [Bundle, ...Bundle[]]): Bundle {
  const [{ document, outline }] = bundles;
  if (bundles.length === 1) {
    const started = document.entries[0]?.timestamp ?? '';
    return { outline, document: { ...document, visibility: visibilityIn(outline), started_at: started } };
  }
  const summary = summarise(bundles.flatMap((bundle) => factsOf(bundle.document, bundle.outline)));
  return { outline, document: { ...document, ...fieldsOf(summary) } };
}

const fieldsOf = (process: ProcessSummary) => {
  const { visibility, started_at } = process;
  return { visibility, started_at, process };
};

/** What is known of a process, given its first bundle. */
const summaryOf = ({ document, outline }: Bundle): ProcessSummary =>
  document.process ?? summarise(factsOf(document, outline));

/** Of bundles what `factsOf` and `summaryOf` ask for. */
const telling = { process_id: 1, n: 1, rule_id: 1, outline: 1, process: 1, 'entries.timestamp': 1 } as const;
const start = { _id: 1, process_id: 1, started_at: 1 } as const;

/** A process as its first bundle has it, and every entry that it has. */
export type Account = {
  readonly first: BundleDocument;
  readonly summary: ProcessSummary;
  readonly facts: readonly EntryFacts[];
};

export type Processes = ReturnType<typeof processesIn>;

/** Every query of the processes, by name. */
export function processesIn(
  documents: Documents<BundleDocument>,
  withOutlines: (found: readonly BundleDocument[]) => Promise<Bundle[]>,
) {
  const read = async (filter: Wanted): Promise<Bundle[]> =>
    withOutlines(await documents.find(filter, { projection: telling }).toArray());
  const starts = (filter: Wanted) => documents.find(filter, { projection: start });
  return {
    rows: async (ids: readonly string[]): Promise<Map<string, ProcessRow>> => {
      const firsts = ids.length === 0 ? [] : await read(processQueries.firsts(ids));
      return new Map(
        firsts.map((bundle) => {
          const { process_id } = bundle.document;
          return [process_id, { process_id, ...summaryOf(bundle) }];
        }),
      );
    },
    /** Newest first. */
    timeline: (visibility: Visibility, skip: number, limit: number): Promise<ProcessStart[]> =>
      starts(processQueries.timeline(visibility)).sort(timelineSort).skip(skip).limit(limit).toArray(),
    starts: (ids: readonly string[]): Promise<ProcessStart[]> => starts(processQueries.firsts(ids)).toArray(),
    accounts: async (ids: readonly string[]): Promise<Account[]> => {
      const facts = new Map<string, EntryFacts[]>();
      const firsts: Bundle[] = [];
      for (const bundle of await read(bundleQueries.ofProcesses(ids))) {
        const { document, outline } = bundle;
        const known = facts.get(document.process_id) ?? [];
        known.push(...factsOf(document, outline));
        facts.set(document.process_id, known);
        if (document.n === 0) firsts.push(bundle);
      }
      return firsts.map((bundle) => {
        const { document: first } = bundle;
        return { first, summary: summaryOf(bundle), facts: facts.get(first.process_id) ?? [] };
      });
    },
    /** Writes what is known now; false when a process had changed meanwhile. */
    replace: async (
      changes: readonly (readonly [before: BundleDocument, summary: ProcessSummary])[],
    ): Promise<boolean> => {
      if (changes.length === 0) return true;
      const { matchedCount } = await documents.bulkWrite(
        changes.map(([{ _id, process }, summary]) => ({
          updateOne: { filter: { _id, ...unchanged(process) }, update: { $set: fieldsOf(summary) } },
        })),
        { ordered: false },
      );
      return matchedCount === changes.length;
    },
  };
}

/** Entries are only added: their number and the highest id tell one state of a process from the next. */
function unchanged(process: ProcessSummary | undefined): Wanted {
  if (process === undefined) return { process: { $exists: false } };
  return { 'process.entry_count': process.entry_count, 'process.last_id': process.last_id };
}
