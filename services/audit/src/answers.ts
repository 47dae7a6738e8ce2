import type { Bus } from '@order-automation/bus';
import type { AuditEventType, RequestOutput } from '@order-automation/contracts';
import { openExport, readExport, signExport } from './chain/export';
import { headsOf } from './chain/heads';
import { verifyLog } from './chain/verify';
import { bucketsOf } from './counts/stats';
import type { Totals } from './counts/totals';
import { erasePerson } from './deletion/erasure';
import { applyRetention } from './deletion/retention';
import type { Log } from './log';
import { listEntries, processView } from './reading/list';
import { scanEntries } from './reading/scan';
import { aspectsOf } from './records/facets';
import { renderComponents } from './render/render';
import type { Telemetry } from './telemetry';

/** Answers everything that others ask of the log. `retention` in milliseconds. */
export async function answerFor(
  log: Log,
  { bus, telemetry, retention }: { readonly bus: Bus; readonly telemetry: Telemetry; readonly retention: number },
): Promise<void> {
  await bus.respond('audit.record.v2', ({ records }) => log.record(records));
  await bus.respond('audit.entry.list.v1', async (input) => {
    const start = performance.now();
    const output = await listEntries(input, log);
    telemetry.listTook(input.view, performance.now() - start);
    return output;
  });
  await bus.respond('audit.process.get.v1', (input) => processView(input, log));
  await bus.respond('audit.filter-options.get.v1', () => filterOptions(log.totals));
  await bus.respond('audit.entry.delete.v1', log.deletions.remove);
  await bus.respond('audit.entry.scan.v1', (input) => scanEntries(input, log));
  await bus.respond('audit.entry.render.v1', (input) => renderComponents(input, log));
  await bus.respond('audit.log.verify.v1', async (input) => {
    const output = await verifyLog(input, log);
    const { from_id, to_id, continues = from_id === null } = input;
    // A part that is intact says nothing of what failed elsewhere.
    if (!output.valid || (continues && to_id === null && output.next_id === null)) telemetry.verified(output.valid);
    return output;
  });
  await bus.respond('audit.head.list.v1', ({ limit }) => headsOf(limit, log));
  await bus.respond('audit.export.open.v1', (input) => openExport(input, log));
  await bus.respond('audit.export.read.v1', (input) => readExport(input, log));
  await bus.respond('audit.export.sign.v1', (input) => signExport(input, log));
  await bus.respond('audit.person.erase.v1', (input) => erasePerson(input, { ...log, bus }));
  await bus.respond('audit.retention.run.v1', (input) => applyRetention(retention, input, log));
  await bus.respond('audit.stats.get.v1', async ({ from, to, by }) => ({
    buckets: bucketsOf(await log.totals.statsBetween(from, to, by), by),
  }));
}

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
