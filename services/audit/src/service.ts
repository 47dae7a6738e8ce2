import type { Subscription } from '@order-automation/bus';
import { type AuditEntry, type NewAuditEntry, ServiceError } from '@order-automation/contracts';
import { type Batcher, batcher, type Service, type ServiceDeps } from '@order-automation/service';
import { type Bundles, openBundles } from './bundles';
import type { AuditConfig } from './config';
import { openEntryIds } from './entry-ids';
import { listEntries } from './list';
import { asEntry } from './logged-entry';
import { inOrder, parentOf, summarise } from './process-summary';
import { type RecordDeps, type Recorded, recordAll } from './record';
import { newTallies } from './tallies';
import { auditTelemetry } from './telemetry';
import { openTotals, rangeSize } from './totals';

/** Requests and entries in one write, and writes under way at once: small enough that batches of events do not all wait for the same one. */
const requestsAtOnce = 256;
const entriesAtOnce = 1280;
const writesAtOnce = 4;
/** Milliseconds between two closings of settled ranges. */
const rollEvery = 5_000;

/** The log (sections 2.5 and 4.2 of the specification; docs/decisions/0001, step 5). */
export async function startAudit(deps: ServiceDeps, _config: AuditConfig): Promise<Service> {
  const { bus, store, clock } = deps;
  const telemetry = auditTelemetry(deps);
  const bundles = await openBundles(store);
  const tallies = newTallies(rangeSize);
  const ids = await openEntryIds(store, clock, tallies.unused);
  const totals = await openTotals(store, bundles, ids, tallies);
  const parts = { bundles, ids, tallies, totals, telemetry };
  const recording = recordInGroups(parts);
  const subscriptions: Subscription[] = [
    await bus.respond('audit.record.v1', ({ entries: list }) => recording.add(list)),
    await bus.respond('audit.entry.list.v1', async (input) => {
      const start = performance.now();
      const output = await listEntries(input, parts);
      telemetry.listTook(input.view, performance.now() - start);
      return output;
    }),
    await bus.respond('audit.process.get.v1', ({ process_id }) => processView(process_id, bundles)),
  ];
  const rolling = startRolling(() => totals.roll().catch(telemetry.notCounted));
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

/** What arrives while the last writes are under way is written together. */
function recordInGroups(parts: RecordDeps): Batcher<readonly NewAuditEntry[], Recorded> {
  return batcher({
    run: async (requests) => {
      const start = performance.now();
      try {
        return await recordAll(requests, parts);
      } catch (error) {
        parts.telemetry.notRecorded(error, requests.flat().length);
        throw error;
      } finally {
        parts.telemetry.recordTook(performance.now() - start);
      }
    },
    maxItems: requestsAtOnce,
    maxBytes: entriesAtOnce,
    size: (list) => list.length,
    concurrency: writesAtOnce,
  });
}

async function processView(processId: string, bundles: Bundles): Promise<{ logs: AuditEntry[] }> {
  const found = inOrder(await bundles.entriesOfProcesses([processId]));
  if (found.length === 0)
    throw new ServiceError(404, 'svc_process_not_found', 'There is no process of this id in the log.');
  const row = summarise(found);
  return { logs: found.map((entry) => asEntry(entry, parentOf(entry, row))) };
}

function startRolling(roll: () => Promise<void>): { close(): Promise<void> } {
  let current: Promise<void> | undefined;
  const timer = setInterval(() => {
    current ??= roll().finally(() => {
      current = undefined;
    });
  }, rollEvery);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await current;
    },
  };
}
