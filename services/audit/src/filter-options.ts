import { internalAuditEventTypes, type RequestOutput } from '@order-automation/contracts';
import { aspectsOf } from './facets';
import type { Totals } from './totals';

/** What the log has to filter by now (section 4.2 of the specification): internal event types are left out. */
export async function filterOptions(
  totals: Pick<Totals, 'present'>,
): Promise<RequestOutput<'audit.filter-options.get.v1'>> {
  const { facets, orders } = await totals.present();
  const aspects = [...facets].map(aspectsOf);
  const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)].sort();
  return {
    statuses: distinct(aspects.map(({ status }) => status)),
    event_types: distinct(
      aspects.map(({ event_type }) => event_type).filter((type) => !internalAuditEventTypes.includes(type)),
    ),
    sources: distinct(aspects.map(({ source }) => source)),
    order_ids: [...orders],
  };
}
