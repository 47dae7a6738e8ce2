import type {
  AuditEventType,
  AuditFilters,
  AuditSource,
  AuditStatus,
  NewAuditEntry,
} from '@order-automation/contracts';

/** What an entry is for; lists show `normal` ones, and others where they are asked for. */
export type EntryKind = 'normal' | 'test' | 'debug' | 'both';

type Aspects = Readonly<
  Pick<NewAuditEntry, 'source' | 'status' | 'event_type' | 'is_test' | 'is_debug'> & { kind: EntryKind }
>;

/** All of an entry that takes one of few values, in one word: `webhook success rule_evaluation`, and the kind unless it is normal. */
export function facetOf({ source, status, event_type, is_test, is_debug }: Omit<Aspects, 'kind'>): string {
  const kind: EntryKind = is_test ? (is_debug ? 'both' : 'test') : is_debug ? 'debug' : 'normal';
  return [source, status, event_type, ...(kind === 'normal' ? [] : [kind])].join(' ');
}

const known = new Map<string, Aspects>();

export function aspectsOf(facet: string): Aspects {
  const aspects = known.get(facet);
  if (aspects) return aspects;
  const taken = takenApart(facet);
  known.set(facet, taken);
  return taken;
}

function takenApart(facet: string): Aspects {
  const [source, status, event_type, kind = 'normal'] = facet.split(' ') as [
    AuditSource,
    AuditStatus,
    AuditEventType,
    EntryKind?,
  ];
  const [is_test, is_debug] = [kind === 'test' || kind === 'both', kind === 'debug' || kind === 'both'];
  return { source, status, event_type, kind, is_test, is_debug };
}

export type Flags = Pick<AuditFilters, 'include_debug' | 'include_test'>;

export const isKindShown = (kind: EntryKind, { include_debug, include_test }: Flags): boolean =>
  kind === 'normal' || (kind === 'test' ? include_test : include_debug && (kind === 'debug' || include_test));

/** Whether filters let entries of this facet through. */
export function isShown(facet: string, filters: AuditFilters): boolean {
  const { source, status, event_type, kind } = aspectsOf(facet);
  if (!isKindShown(kind, filters)) return false;
  if (filters.status && !filters.status.includes(status)) return false;
  if (filters.event_type && !filters.event_type.includes(event_type)) return false;
  return !filters.source || filters.source.includes(source);
}
