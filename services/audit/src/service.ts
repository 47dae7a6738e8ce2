import type { Subscription } from '@order-automation/bus';
import { type AuditEntry, ServiceError } from '@order-automation/contracts';
import type { Service, ServiceDeps } from '@order-automation/service';
import { headsOf } from './chain/heads';
import { chainKeys } from './chain/keys';
import { sealSettled } from './chain/sealing';
import { openSeals } from './chain/seals';
import { openTombstones } from './chain/tombstones';
import { verifyLog } from './chain/verify';
import type { AuditConfig } from './config';
import { openDeletions } from './deletion';
import { type Entries, openEntries } from './entries';
import { openEntryIds } from './entry-ids';
import { filterOptions } from './filter-options';
import { listEntries, withParents } from './list';
import { pagesOf } from './pages';
import { inOrder } from './process-row';
import { openProcesses, type Processes } from './processes';
import { startRecording } from './recording';
import { renderComponents } from './render/render';
import { repeatedly } from './repeatedly';
import { scanEntries } from './scan';
import { auditTelemetry } from './telemetry';
import { openTotals } from './totals';

/** Milliseconds after which settled entries are sealed and counted. */
const settleEvery = 5_000;

/** The log (sections 2.5 and 4.2 of the specification). */
export async function startAudit(deps: ServiceDeps, config: AuditConfig): Promise<Service> {
  const { bus, store, clock } = deps;
  const telemetry = auditTelemetry(deps);
  const keys = chainKeys(config.secretKey.reveal());
  const entries = await openEntries(store);
  const processes = await openProcesses(store);
  const ids = await openEntryIds(store, clock);
  const totals = await openTotals(store, { entries, ids, clock });
  const pages = pagesOf(entries, totals);
  const recording = startRecording({ entries, processes, ids, keys, telemetry });
  const seals = await openSeals(store, keys);
  const tombstones = await openTombstones(store, keys);
  const chain = { entries, ids, seals, tombstones, keys, clock };
  const { add: record } = recording;
  const deletions = await openDeletions({ store, entries, processes, totals, tombstones, clock, record });
  const subscriptions: Subscription[] = [
    await bus.respond('audit.record.v1', ({ entries: list }) => recording.add(list)),
    await bus.respond('audit.entry.list.v1', async (input) => {
      const start = performance.now();
      const output = await listEntries(input, { entries, processes, pages, totals });
      telemetry.listTook(input.view, performance.now() - start);
      return output;
    }),
    await bus.respond('audit.filter-options.get.v1', () => filterOptions(totals)),
    await bus.respond('audit.entry.delete.v1', deletions.remove),
    await bus.respond('audit.entry.scan.v1', (input) => scanEntries(input, { entries, processes, pages, ids })),
    await bus.respond('audit.entry.render.v1', (input) => renderComponents(input, { entries, processes })),
    await bus.respond('audit.log.verify.v1', (input) => verifyLog(input, chain)),
    await bus.respond('audit.head.list.v1', ({ limit }) => headsOf(limit, { seals, keys })),
    await bus.respond('audit.process.get.v1', ({ process_id }) => processView(process_id, entries, processes)),
  ];
  const settle = async (): Promise<void> => {
    await sealSettled(chain).catch(telemetry.notSealed);
    await totals.roll().catch(telemetry.notCounted);
  };
  const rolling = repeatedly(settleEvery, settle);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    for (const subscription of subscriptions) await subscription.close();
    await recording.idle();
    await rolling.close();
  };
  return {
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function processView(id: string, entries: Entries, processes: Processes): Promise<{ logs: AuditEntry[] }> {
  const found = inOrder(await entries.ofProcesses([id]));
  if (found.length === 0)
    throw new ServiceError(404, 'svc_process_not_found', 'There is no process of this id in the log.');
  return { logs: await withParents(found, processes) };
}
