import { openKeyRing, repeatedly, serviceOf } from '@order-automation/service';
import { answerFor } from './answers';
import { sealSettled } from './chain/sealing';
import type { AuditConfig } from './config';
import { applyRetention } from './deletion/retention';
import { openLog } from './log';
import { auditTelemetry } from './telemetry';

/** Milliseconds after which settled entries are sealed and counted. */
const settleEvery = 5_000;
/** Milliseconds between two runs of retention. */
const retainEvery = 3_600_000;

/** The log (sections 2.5 and 4.2 of the specification). */
export const startAudit = serviceOf(async (deps, config: AuditConfig, opened) => {
  const { bus, store, clock } = deps;
  const { retention } = config;
  const telemetry = auditTelemetry(deps);
  const forgetFacts = async (event_ids: readonly string[]): Promise<void> => {
    await bus.request('evaluation.facts.forget.v1', { event_ids: [...event_ids] });
  };
  const secretKeys = await openKeyRing(config.secretKey.reveal(), deps);
  opened('keys', secretKeys.close);
  const log = await openLog({ store, clock, telemetry, secretKeys, forgetFacts });
  opened('recording', log.idle);
  await answerFor(log, { bus, telemetry, retention });
  const settling = repeatedly(settleEvery, async () => {
    const count = (): Promise<void> => log.totals.roll().catch(telemetry.notCounted);
    await sealSettled(log, (range, records) => {
      log.totals.collect(range, records);
      return count();
    }).catch(telemetry.notSealed);
    await count();
    await log.deletions.again().catch(telemetry.notDeleted);
  });
  const retentionTimer = repeatedly(retainEvery, async () => {
    await applyRetention(retention, { dry_run: false }, log).catch(telemetry.notRetained);
  });
  opened('settling', settling.close);
  opened('retention', retentionTimer.close);
  return {};
});
