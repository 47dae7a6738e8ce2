import type { Bus } from '@order-automation/bus';
import type { NewAuditEntry } from '@order-automation/contracts';
import { createMetrics, keyRing } from '@order-automation/service';
import { buildAuditEntry, type Lane, type LaneDeps } from '@order-automation/testing';
import { sealSettled } from '../src/chain/sealing';
import { verifyLog } from '../src/chain/verify';
import { openLog as openParts } from '../src/log';
import { entriesOf } from '../src/records/log-record';
import { auditTelemetry } from '../src/telemetry';
import { auditConfig, recordsOf } from './audit';

/** The log without what runs by the clock; so many ids are counted together. */
export async function openLog(
  { store, clock, log }: LaneDeps,
  countedIds = 8,
  forgetFacts: (eventIds: readonly string[]) => Promise<void> = async () => undefined,
) {
  const telemetry = auditTelemetry({ log, metrics: createMetrics('test') });
  const secretKeys = keyRing(auditConfig.secretKey.reveal());
  const parts = await openParts({ store, clock, telemetry, secretKeys, countedIds, forgetFacts });
  return {
    ...parts,
    recordEntries: (entries: readonly NewAuditEntry[]) => parts.record(recordsOf(entries)),
    settle: async (): Promise<void> => {
      clock.advance(20_000);
      await sealSettled(parts, parts.totals.collect);
    },
    verify: () => verifyLog({ from_id: null, to_id: null }, parts),
  };
}

export const some = (count: number, overrides: Partial<NewAuditEntry> = {}): NewAuditEntry[] =>
  Array.from({ length: count }, (_, index) => buildAuditEntry({ order_id: (index % 5) + 1, ...overrides }));

type Asked = { readonly from?: string | undefined };
const nothing = (_type: string, _person: Asked): object => ({ erased: 0, unconfirmed: 0, unfinished: 0 });

/** The bus, on which the services that are asked to erase a person answer this. */
export const erasing = (answer = nothing): Pick<Bus, 'request'> => ({
  request: (async (type: string, person: Asked) => answer(type, person)) as Bus['request'],
});

/** A log into which as many entries were recorded and sealed, part by part, and these entries. */
export async function sealedLog(lane: Lane, parts: readonly number[], overrides: Partial<NewAuditEntry> = {}) {
  const deps = await lane.deps();
  const log = await openLog(deps);
  for (const count of parts) {
    await log.recordEntries(some(count, overrides));
    await log.settle();
  }
  const records = await log.records.inRange({}, 0);
  return { deps, log, records, all: records.flatMap(entriesOf) };
}
