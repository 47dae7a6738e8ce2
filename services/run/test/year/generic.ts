import { decimalText, type Said, type Webhook } from './plan';
import type { About, Paid, Voice } from './voice';

/** Any service that posts JSON, under the names of decisions.md section 6; on `year-minor` amounts are in the currency's smallest unit. */
type Fields = Record<string, unknown>;

/** Whether the events of this order come over the connection with `amount_unit: minor`. */
export const isInMinorUnits = (id: number): boolean => id % 2 === 1;

export const connections = { major: 'year-major', minor: 'year-minor' } as const;

function eventOf(
  about: About,
  type: string,
  { transaction, amount, at }: Paid,
  over: Fields,
  says: readonly Said[],
): Webhook {
  const { order } = about;
  const isMinor = isInMinorUnits(order.id);
  const money = { amount: isMinor ? amount : decimalText(amount, order.currency), currency: order.currency };
  const names = about.isNamed ? { order_id: order.reference } : {};
  const facts = { ...names, transaction_id: transaction, ...money, ...over };
  const time = new Date(at).toISOString();
  const body = order.id % 4 < 2 ? { event: type, created_at: time, ...facts } : { type, created_at: time, data: facts };
  const connection = isMinor ? connections.minor : connections.major;
  return { gateway: 'generic', connection, name: type, at, form: false, body: JSON.stringify(body), says };
}

function completed(about: About, payment: Paid): Webhook {
  const { transaction, amount } = payment;
  const says: Said[] = [{ kind: 'payment', transaction, amount, currency: about.order.currency }];
  return eventOf(about, about.dice.pick(['payment_completed', 'approved', 'captured']), payment, {}, says);
}

export const generic: Voice = {
  newTransaction: ({ order, next }) => `gt_${order.id}_${next()}`,
  paid: (about, payment) =>
    about.dice.chance(0.3)
      ? [eventOf(about, 'payment_pending', { ...payment, at: payment.at - 60_000 }, {}, []), completed(about, payment)]
      : [completed(about, payment)],
  paidInPart: (about, payment) => [completed(about, payment)],
  failed: (about, payment) => [
    eventOf(about, about.dice.pick(['payment_failed', 'declined']), payment, {}, [
      { kind: 'failure', transaction: payment.transaction },
    ]),
  ],
  refunded: (about, refunds) =>
    refunds.map((one) =>
      eventOf(about, about.dice.pick(['payment_refunded', 'refund']), one, { refund_id: one.refund }, [
        { kind: 'refund', refund: one.refund, transaction: one.transaction },
      ]),
    ),
  subscribed: (about, billed) => [
    eventOf(
      about,
      'subscription_created',
      billed,
      { transaction_id: undefined, subscription_id: billed.subscription },
      [],
    ),
  ],
  billed: (about, billed, isFirst) => {
    if (isFirst) return [completed(about, billed)];
    const { transaction, amount, subscription } = billed;
    const { currency } = about.order;
    const says: Said[] = [{ kind: 'payment', transaction, amount, currency, subscription, billing: 'renewal' }];
    return [eventOf(about, 'subscription_renewed', billed, { subscription_id: subscription }, says)];
  },
  billingFailed: () => [],
  unsubscribed: (about, billed) => [
    eventOf(
      about,
      'subscription_cancelled',
      billed,
      { transaction_id: undefined, subscription_id: billed.subscription },
      [{ kind: 'cancellation' }],
    ),
  ],
  aside: () => [],
};
