import { type Answer, ServiceError } from '@order-automation/contracts';
import type { DeliveryDocument } from './document';
import { resentEntry } from './entries';
import { existingDelivery, recordOf } from './list';
import { rearmed } from './outcome';
import type { DeliveryQueue, QueueDeps } from './queue';

export type ResendDeps = Pick<QueueDeps, 'deliveries' | 'record' | 'clock'> & {
  readonly queue: Pick<DeliveryQueue, 'kick'>;
};

export const someone = 'An administrator';

/** Puts one delivery back into the queue, with the key that it has. */
export const resendDelivery: Answer<'evaluation.delivery.resend.v1', ResendDeps> = async (
  { id, by = someone },
  deps,
) => {
  for (;;) {
    const known = await existingDelivery(id, deps.deliveries);
    if (isErased(known)) {
      const text = 'What was to be sent has been erased with the person it was about.';
      throw new ServiceError(409, 'svc_delivery_erased', text, { id });
    }
    const resent = await resend(known, by, deps);
    if (resent === null) continue;
    deps.queue.kick();
    return { delivery: recordOf(resent) };
  }
};

export const isErased = ({ payload }: DeliveryDocument): boolean => payload === '';

/** The delivery in the queue again; null when it changed meanwhile. The queue hands the entry about it to the log. */
export async function resend(
  known: DeliveryDocument,
  by: string,
  { deliveries, record, clock }: ResendDeps,
): Promise<DeliveryDocument | null> {
  if (known.entry !== null) await record([known.entry]);
  const now = clock.now();
  const armed = { ...rearmed(known, now), resends: known.resends + 1, resent_by: by, fence: known.fence + 1 };
  return deliveries.change(known, { ...armed, entry: resentEntry(armed, by, now) });
}
