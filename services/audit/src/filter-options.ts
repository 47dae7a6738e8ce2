import type { AuditEventType, RequestOutput } from '@order-automation/contracts';
import { aspectsOf } from './facets';
import type { Totals } from './totals';

/** Those that nobody filters by (section 4.2 of the specification). */
const internal: readonly AuditEventType[] = ['process_started', 'step_timing', 'retry_scheduled'];

/** What the log has to filter by now (section 4.2 of the specification): internal event types are left out. */
export async function filterOptions(
  totals: Pick<Totals, 'present'>,
): Promise<RequestOutput<'audit.filter-options.get.v1'>> {
  const { facets, orders } = await totals.present();
  const aspects = [...facets].map(aspectsOf);
  const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)].sort();
  return {
    statuses: distinct(aspects.map(({ status }) => status)),
    event_types: distinct(aspects.map(({ event_type }) => event_type).filter((type) => !internal.includes(type))),
    sources: distinct(aspects.map(({ source }) => source)),
    order_ids: [...orders],
  };
}
