import {
  type AuditEntry,
  addDecimals,
  currencyDecimals,
  type Decimal,
  formatDecimal,
  parseDecimal,
} from '@order-automation/contracts';
import { z } from 'zod';

/** What the log has of a rule in shadow. Times are ISO 8601 UTC; money is decimal text. */
export const shadowSummarySchema = z.object({
  /** The version that was last in shadow, which all of this is about, and its first event; null where there was none. */
  version: z.int().nullable(),
  since: z.iso.datetime().nullable(),
  events: z.int(),
  would_match: z.int(),
  actions: z.array(z.object({ id: z.string(), label: z.string(), count: z.int() })),
  /** Totals of the orders that it would have matched, each order once. */
  values: z.array(z.object({ currency: z.string(), total: z.string(), orders: z.int() })),
  /** Of these orders, those that were refunded or disputed later. */
  refunded: z.int(),
  disputed: z.int(),
  against: z.int().nullable(),
  /** Processes in which one of both rules matched and the other did not. */
  disagreed: z.int(),
  /** The newest of these. */
  disagreements: z.array(
    z.object({ process_id: z.string(), order_id: z.int().nullable(), at: z.iso.datetime(), matched_by: z.int() }),
  ),
  /** There are older entries, which were not looked at. */
  is_truncated: z.boolean(),
});
export type ShadowSummary = z.infer<typeof shadowSummarySchema>;

const recordedSchema = z.object({
  rule: z.object({ version: z.int() }),
  shadow: z.object({
    matched: z.boolean(),
    actions: z.array(z.object({ id: z.string(), label: z.string() })),
    total: z.string(),
    currency: z.string(),
  }),
});
type Verdict = { readonly entry: AuditEntry; readonly recorded: z.infer<typeof recordedSchema> };

const maxDisagreements = 50;

/** `evaluations` of a rule in shadow, and of the one that it is compared with; `ends` of events and refunds of the shop since then. Newest first. */
export function shadowSummary(
  evaluations: readonly AuditEntry[],
  ends: readonly AuditEntry[],
  id: number,
  against: number | null,
): Omit<ShadowSummary, 'is_truncated'> {
  const all = evaluations.filter(({ rule_id }) => rule_id === id).flatMap(verdictOf);
  const version = all[0]?.recorded.rule.version ?? null;
  const verdicts = all.filter(({ recorded }) => recorded.rule.version === version);
  const matching = verdicts.filter(({ recorded }) => recorded.shadow.matched);
  const first = verdicts.at(-1)?.entry;
  // Of processes that run at the same time the log does not have the earliest first.
  const decided = new Set(verdicts.map(({ entry }) => entry.process_id));
  const isSince = ({ process_id, timestamp }: AuditEntry): boolean =>
    first !== undefined && (timestamp >= first.timestamp || decided.has(process_id));
  const other = evaluations.filter((entry) => entry.rule_id === against && isSince(entry) && didMatch(entry));
  const matched = matching.map(({ entry }) => entry);
  const differing = [...onlyIn(matched, other), ...onlyIn(other, matched)].sort((a, b) => b.id - a.id);
  const disagreements = against === null ? [] : differing;
  return {
    version,
    since: first?.timestamp ?? null,
    events: verdicts.length,
    would_match: matching.length,
    actions: actionsOf(matching),
    values: valuesOf(matching),
    refunded: laterOf(matched, ends, 'payment_refunded'),
    disputed: laterOf(matched, ends, 'dispute_opened'),
    against,
    disagreed: disagreements.length,
    disagreements: disagreements
      .slice(0, maxDisagreements)
      .map(({ process_id, order_id, timestamp: at, rule_id }) => ({
        process_id,
        order_id,
        at,
        matched_by: rule_id ?? 0,
      })),
  };
}

function verdictOf(entry: AuditEntry): Verdict[] {
  const recorded = recordedSchema.safeParse(entry.details);
  return recorded.success ? [{ entry, recorded: recorded.data }] : [];
}

const didMatch = (entry: AuditEntry): boolean =>
  entry.status === 'success' || verdictOf(entry).some(({ recorded }) => recorded.shadow.matched);

/** One entry for each process that the others have none of. */
function onlyIn(entries: readonly AuditEntry[], others: readonly AuditEntry[]): AuditEntry[] {
  const known = new Set(others.map(({ process_id }) => process_id));
  const found = new Map(entries.map((entry) => [entry.process_id, entry]));
  return [...found.values()].filter(({ process_id }) => !known.has(process_id));
}

function actionsOf(matching: readonly Verdict[]): ShadowSummary['actions'] {
  const counts = new Map<string, ShadowSummary['actions'][number]>();
  for (const { id, label } of matching.flatMap(({ recorded }) => recorded.shadow.actions))
    counts.set(id, { id, label, count: (counts.get(id)?.count ?? 0) + 1 });
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

const endSchema = z.object({ event: z.object({ generic_type: z.string() }) });
const reportedBy = ({ event_type, details }: AuditEntry): string | undefined =>
  event_type === 'refund_created' ? 'payment_refunded' : endSchema.safeParse(details).data?.event.generic_type;

/** Orders of which something was reported after the rule would have matched first. */
function laterOf(matched: readonly AuditEntry[], ends: readonly AuditEntry[], type: string): number {
  const first = new Map(matched.map(({ order_id, id }) => [order_id, id]));
  const later = ends.filter(({ order_id, id }) => id > (first.get(order_id) ?? Number.POSITIVE_INFINITY));
  return new Set(later.filter((end) => reportedBy(end) === type).map(({ order_id }) => order_id)).size;
}

function valuesOf(matching: readonly Verdict[]): ShadowSummary['values'] {
  const orders = new Map(matching.map(({ entry, recorded }) => [entry.order_id, recorded.shadow]));
  const sums = new Map<string, { sum: Decimal; orders: number }>();
  for (const { total, currency } of orders.values()) {
    const amount = parseDecimal(total);
    if (!amount) continue;
    const known = sums.get(currency);
    sums.set(currency, { sum: known ? addDecimals(known.sum, amount) : amount, orders: (known?.orders ?? 0) + 1 });
  }
  return [...sums].map(([currency, { sum, orders: count }]) => ({
    currency,
    total: formatDecimal(sum, currencyDecimals(currency)),
    orders: count,
  }));
}
