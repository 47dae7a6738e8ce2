import { newId } from '@order-automation/contracts';
import type { Outbox, ServiceDeps } from '@order-automation/service';
import { floodEntry, outboxRecord } from '../inbox/entries';
import type { Telemetry } from '../telemetry';
import type { Limiter } from './limiter';

type Parts = Pick<ServiceDeps, 'clock'> & {
  readonly limiter: Limiter;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly telemetry: Telemetry;
};

/** One entry for all webhooks that were refused without one of their own since the last time. */
export async function recordFlood({ limiter, outbox, clock, telemetry }: Parts): Promise<void> {
  const refused = limiter.refused();
  if (refused.webhooks === 0) return;
  telemetry.flood(refused.webhooks, refused.addresses);
  const entry = floodEntry(newId('evt', clock.now()), refused, clock.now());
  await outbox.add([outboxRecord(entry)]).catch((error: unknown) => telemetry.notStored(0, error));
}
