import type { Draft, Law } from './lives';
import { days, type Webhook } from './plan';
import type { Billed } from './voice';

/** A year of a subscription: its first payment, renewals of which some fail first, a rise in price, an upgrade, its end. */
function yearOf(draft: Draft, trialDays: number, periods: number, periodDays: number): Webhook[] {
  const { voice, about, order, dice, at } = draft;
  const subscription = `sub_${order.id}`;
  const billed = (amount: number, when: number): Billed => ({
    transaction: voice.newTransaction(about),
    amount,
    at: when,
    subscription,
  });
  // A trial that is invoiced is an invoice of nothing, at once; else the first payment comes when it ends.
  const first = at + 10_000 + (order.total > 0 ? trialDays * days : 0);
  const sent = [
    ...voice.subscribed(about, { ...billed(order.total, at), transaction: '' }, trialDays),
    ...voice.billed(about, billed(order.total, first), true),
  ];
  let price = order.total || 2_500;
  for (let period = 1; period <= periods; period += 1) {
    const when = first + period * periodDays * days;
    if (dice.chance(0.15)) price += 500;
    if (dice.chance(0.15)) sent.push(...voice.billingFailed(about, billed(price, when - 4 * days)));
    sent.push(...voice.billed(about, billed(price, when), false));
    if (voice.upgraded && dice.chance(0.1)) sent.push(...voice.upgraded(about, billed(333, when + 10 * days)));
  }
  const end = first + periods * periodDays * days + 15 * days;
  return dice.chance(0.5) ? [...sent, ...voice.unsubscribed(about, billed(price, end))] : sent;
}

const plain = (id: number) => ({ reference: String(id) });

/** The months of a shorter year keep the test short; a yearly invoice is one period of 300 days. */
export const subscriptionLives: readonly Law[] = [
  {
    name: 'a subscription',
    weight: 10,
    gateways: ['card', 'wallet', 'ipn', 'generic'],
    order: (_dice, id) => plain(id),
    write: (draft) => ({
      webhooks: draft.dice.chance(0.2) ? yearOf(draft, 0, 1, 300) : yearOf(draft, 0, draft.dice.between(1, 4), 30),
    }),
  },
  {
    name: 'a trial that costs nothing, invoiced',
    weight: 3,
    gateways: ['card'],
    order: (_dice, id) => ({ ...plain(id), total: 0 }),
    write: (draft) => ({ webhooks: yearOf(draft, 30, draft.dice.between(1, 3), 30) }),
  },
  {
    name: 'a trial before the first payment',
    weight: 3,
    gateways: ['wallet', 'ipn'],
    order: (_dice, id) => plain(id),
    write: (draft) => ({ webhooks: yearOf(draft, 14, draft.dice.between(1, 3), 30) }),
  },
];
