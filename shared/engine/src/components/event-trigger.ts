import type { GenericType } from '@order-automation/contracts';
import { type Trigger, trigger } from '../component';
import { noSettings } from '../settings-schema';

type Named = Pick<Trigger, 'id' | 'label' | 'priority'> & {
  /** What happens, as in "a dispute is opened for an order". */
  readonly when: string;
  readonly types: readonly GenericType[];
};

/** A trigger of the extended edition that fires on events of gateways, whichever gateway sent them. */
function eventTrigger({ when, types, ...named }: Named): Trigger {
  return trigger({
    ...named,
    description: `Fires when ${when}.`,
    edition: 'extended',
    schema: noSettings,
    listensTo: () => types.map((type) => ({ type })),
    fires: () => `fires when ${when}`,
  });
}

export const paymentComplete = eventTrigger({
  id: 'payment_complete',
  label: 'Payment complete',
  priority: 80,
  when: 'a payment for an order completes, whatever the status of the order',
  types: ['payment_completed'],
});

export const paymentFailed = eventTrigger({
  id: 'payment_failed',
  label: 'Payment failed',
  priority: 90,
  when: 'a payment for an order fails or is denied',
  types: ['payment_failed', 'payment_denied'],
});

export const subscriptionCancelled = eventTrigger({
  id: 'subscription_cancelled',
  label: 'Subscription cancelled',
  priority: 120,
  when: 'the subscription of an order is cancelled',
  types: ['subscription_cancelled'],
});

export const refundCreated = eventTrigger({
  id: 'refund_created',
  label: 'Refund created',
  priority: 130,
  when: 'an order is refunded, in part or as a whole, in the shop or by its gateway',
  types: ['payment_refunded'],
});

export const disputeOpened = eventTrigger({
  id: 'dispute_opened',
  label: 'Dispute opened',
  priority: 140,
  when: 'a customer disputes a payment of an order',
  types: ['dispute_opened'],
});
