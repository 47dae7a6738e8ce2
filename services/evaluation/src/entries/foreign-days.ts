import { auditEntry, derivedId, idBound, isoTime, type NewAuditEntry } from '@order-automation/contracts';
import type { Evaluations } from '../attempts/evaluations';
import type { RecordEntries } from '../ports/audit';

type ForeignDaysDeps = { readonly evaluations: Pick<Evaluations, 'countForeign'>; readonly record: RecordEntries };

const day = 24 * 60 * 60 * 1000;
/** Days that are checked again: a process that was down at midnight still reports them. */
const daysBack = 3;

/**
 * Records for each past day (UTC) how many events were about orders of another shop: two shops on one gateway account have many, and none needs a person
 * (decisions.md section 12). The entry's id derives from the day, so that several instances and restarts record it once.
 */
export function foreignDays({ evaluations, record }: ForeignDaysDeps): (now: number) => Promise<void> {
  const reported = new Set<number>();
  return async (now) => {
    const today = Math.floor(now / day);
    for (let date = today - daysBack; date < today; date += 1) {
      if (reported.has(date)) continue;
      const count = await evaluations.countForeign({ from: date * day, to: (date + 1) * day - 1 });
      if (count > 0) await record([entryOf(date, count)]);
      reported.add(date);
    }
    for (const date of reported) if (date < today - daysBack) reported.delete(date);
  };
}

function entryOf(date: number, count: number): NewAuditEntry {
  const id = derivedId('foreign', date);
  const end = (date + 1) * day;
  const name = isoTime(date * day).slice(0, 10);
  const events = count === 1 ? '1 event was' : `${count} events were`;
  return auditEntry({
    uid: `foreign_${id}`,
    timestamp: isoTime(end),
    status: 'info',
    event_type: 'order_foreign',
    source: 'system',
    summary: `On ${name} (UTC) ${events} about orders of another shop: the site address or the order key in them is not this shop's. Nothing was changed. That is usual where two shops share one account of a gateway.`,
    process_id: `${idBound('proc', end)}${id.slice(0, 16).toUpperCase()}`,
    details: { day: name, events: count },
  });
}
