import type { NewAuditEntry } from '@order-automation/contracts';
import type { Bundle } from './bundles';

/** An entry, and the position of the request that brought it. */
export type Offered = { readonly entry: NewAuditEntry; readonly request: number };

/** What was brought of one process, in the order of time, each uid once. */
export type Story = { readonly processId: string; readonly offered: readonly Offered[] };

/** A bundle to be stored, and the entries it is made of. */
export type Draft = { readonly bundle: Bundle; readonly offered: readonly Offered[] };

/** By process, in the order of their last entries. */
export function storiesOf(requests: readonly (readonly NewAuditEntry[])[]): Story[] {
  const stories = new Map<string, Offered[]>();
  for (const [request, list] of requests.entries()) {
    for (const entry of list) {
      const story = stories.get(entry.process_id);
      if (story === undefined) stories.set(entry.process_id, [{ entry, request }]);
      else if (!story.some(({ entry: { uid } }) => uid === entry.uid)) story.push({ entry, request });
    }
  }
  return [...stories]
    .map(([processId, offered]) => ({ processId, offered: offered.sort(compareTime) }))
    .sort((a, b) => compareTime(a.offered.at(-1) as Offered, b.offered.at(-1) as Offered));
}

function compareTime({ entry: { timestamp: a } }: Offered, { entry: { timestamp: b } }: Offered): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The bundles of a story: the first has this id and this place in its process, the others follow. */
export function draftsOf(
  offered: readonly Offered[],
  first: { readonly id: number; readonly n: number },
  draft: (offered: readonly Offered[], from: number, id: number, n: number) => Bundle,
): Draft[] {
  const drafts: Draft[] = [];
  for (let from = 0; from < offered.length; ) {
    const bundle = draft(offered, from, first.id + from, first.n + drafts.length);
    const { length } = bundle.outline.parts;
    drafts.push({ bundle, offered: length === offered.length ? offered : offered.slice(from, from + length) });
    from += length;
  }
  return drafts;
}
