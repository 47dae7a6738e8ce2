import { decimalText, type Said, type Webhook } from './plan';
import type { About, Billed, Paid, Voice } from './voice';

/**
 * The wallet's notifications (IPN) as its documentation describes them: developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables ("IPN and PDT
 * variables") and www.paypal.com/cgi-bin/webscr?cmd=p/acc/ipn-subscriptions-outside (`subscr_signup`, `subscr_payment`, `subscr_cancel`, `subscr_failed`,
 * `subscr_eot`): a refund has a `txn_id` of its own, a negative amount and its payment in `parent_txn_id`.
 */
type Fields = Record<string, string>;

const receiver = 'shop@merchant.example';

/** `18:13:35 Apr 17, 2012 PDT`. */
function dateOf(at: number): string {
  const [, , day, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  return `${time} ${month} ${Number(day)}, ${year} GMT`;
}

/** As shops write it: the number alone, JSON with the order's key, or the invoice behind a prefix. */
function namesOf({ order, claims, isNamed, dice }: About): Fields {
  if (!isNamed) return {};
  const custom = JSON.stringify({ order_id: order.reference, order_key: order.key, ...claims });
  if (Object.keys(claims).length > 0) return { custom };
  return /^\d+$/.test(order.reference) && dice.chance(0.5)
    ? { custom: order.reference }
    : dice.pick([{ custom }, { invoice: order.reference }]);
}

function eventOf(about: About, name: string, at: number, fields: Fields, says: readonly Said[]): Webhook {
  const all = {
    ...fields,
    ...namesOf(about),
    mc_currency: about.order.currency,
    receiver_email: receiver,
    ipn_track_id: `${about.order.id}x${about.next()}`,
    notify_version: '3.9',
    charset: 'UTF-8',
  };
  const body = new URLSearchParams(all).toString();
  return { gateway: 'gateway_wallet', connection: null, name, at, form: true, body, says };
}

function paymentOf(about: About, { transaction, amount, at }: Paid, payment_status: string, over: Fields = {}): Fields {
  const mc_gross = decimalText(amount, about.order.currency);
  return { txn_type: 'web_accept', txn_id: transaction, payment_status, payment_date: dateOf(at), mc_gross, ...over };
}

function subscriptionOf(about: About, { subscription, amount, at }: Billed, txn_type: string): Fields {
  const mc_amount3 = decimalText(amount, about.order.currency);
  return { txn_type, subscr_id: subscription, subscr_date: dateOf(at), period3: '1 M', mc_amount3, recurring: '1' };
}

function completed(about: About, payment: Paid): Webhook {
  const { transaction, amount, at } = payment;
  const says: Said[] = [{ kind: 'payment', transaction, amount, currency: about.order.currency }];
  return eventOf(about, 'web_accept Completed', at, paymentOf(about, payment, 'Completed'), says);
}

export const ipn: Voice = {
  newTransaction: ({ order, next }) => `${order.id}I${next()}`,
  paid: (about, payment) => {
    const before = { ...payment, at: payment.at - 60_000 };
    const over = { pending_reason: about.dice.pick(['echeck', 'paymentreview']) };
    const pending = eventOf(about, 'web_accept Pending', before.at, paymentOf(about, before, 'Pending', over), []);
    return about.dice.chance(0.4) ? [pending, completed(about, payment)] : [completed(about, payment)];
  },
  paidInPart: (about, payment) => [completed(about, payment)],
  failed: (about, payment) => {
    const status = about.dice.pick(['Failed', 'Denied']);
    const says: Said[] = [{ kind: 'failure', transaction: payment.transaction }];
    return [eventOf(about, `web_accept ${status}`, payment.at, paymentOf(about, payment, status), says)];
  },
  refunded: (about, refunds) =>
    refunds.map((one) => {
      const mc_gross = `-${decimalText(one.amount, about.order.currency)}`;
      const ids = { txn_id: one.refund, parent_txn_id: one.transaction, reason_code: 'refund', mc_gross };
      const says: Said[] = [{ kind: 'refund', refund: one.refund, transaction: one.transaction }];
      return eventOf(about, 'Refunded', one.at, paymentOf(about, one, 'Refunded', ids), says);
    }),
  subscribed: (about, billed, trialDays) => {
    const trial: Fields = trialDays > 0 ? { period1: `${trialDays} D`, mc_amount1: '0.00' } : {};
    const fields = { ...subscriptionOf(about, billed, 'subscr_signup'), ...trial };
    return [eventOf(about, 'subscr_signup', billed.at, fields, [])];
  },
  billed: (about, billed) => {
    const { transaction, amount, subscription } = billed;
    const over = { txn_type: 'subscr_payment', subscr_id: subscription };
    const says: Said[] = [{ kind: 'payment', transaction, amount, currency: about.order.currency, subscription }];
    return [eventOf(about, 'subscr_payment', billed.at, paymentOf(about, billed, 'Completed', over), says)];
  },
  billingFailed: (about, billed) => [
    eventOf(about, 'subscr_failed', billed.at, subscriptionOf(about, billed, 'subscr_failed'), []),
  ],
  upgraded: (about, billed) => [
    eventOf(about, 'subscr_modify', billed.at, subscriptionOf(about, billed, 'subscr_modify'), []),
  ],
  unsubscribed: (about, billed) => [
    eventOf(about, 'subscr_cancel', billed.at, subscriptionOf(about, billed, 'subscr_cancel'), [
      { kind: 'cancellation' },
    ]),
  ],
  aside: () => [],
};
