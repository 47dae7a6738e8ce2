import type { GenericType } from '@order-automation/contracts';
import { trigger } from '../component';
import { choiceList, settingsOf } from '../settings-schema';

const outcomes = ['completed', 'failed', 'pending', 'processing'] as const;
type Outcome = (typeof outcomes)[number];
type SubscriptionRenewalSettings = { outcomes?: Outcome[] };

const standard: readonly Outcome[] = ['completed'];

function typesOf(outcome: Outcome): GenericType[] {
  return outcome === 'completed'
    ? ['renewal_payment_completed', 'subscription_renewed']
    : [`renewal_payment_${outcome}`];
}

const text = ({ outcomes: chosen = [...standard] }: SubscriptionRenewalSettings) =>
  `fires when the payment of a renewal is ${chosen.join(' or ')}`;

/** Renewals by themselves fire no other trigger that completes orders. A rule that says nothing hears of those that were paid. */
export const subscriptionRenewal = trigger<SubscriptionRenewalSettings>({
  id: 'subscription_renewal',
  label: 'Subscription renewal',
  description: 'Fires when the payment for a subscription renewal completes, or has another chosen outcome.',
  edition: 'extended',
  priority: 110,
  schema: settingsOf({
    outcomes: choiceList('Outcomes', 'Outcomes of the renewal payment.', outcomes, { default: standard }),
  }),
  listensTo: ({ outcomes: chosen = [...standard] }) => chosen.flatMap(typesOf).map((type) => ({ type })),
  fires: text,
});
