import {
  addDecimals,
  compareDecimals,
  firstAndRenewal,
  type GenericType,
  type Order,
  payableStatuses,
  type UniversalEvent,
} from '@order-automation/contracts';
import { amountOf, isNothing, nothing, totalOf } from './order-money';
import { isOfInvoice, type Payment, paymentOf, timeOf } from './payments';

export type OrderOfPayment = Pick<Order, 'id' | 'status' | 'total' | 'currency' | 'transaction_id'>;

/** An event about an order, and what was paid for it before. `awaiting`: the statuses in which orders await their payment. */
export type PaymentCase = {
  readonly event: UniversalEvent;
  readonly order: OrderOfPayment;
  readonly payments: readonly Payment[];
  readonly awaiting: ReadonlySet<string>;
};

type Kind = { readonly type: GenericType | null; readonly because: string };

export function kindOf(one: PaymentCase): Kind {
  const { event, payments } = one;
  const { genericType, billing, subscriptionID, invoiceID, transactionID, idempotencyKey } = event;
  if (genericType !== 'payment_completed' && genericType !== 'renewal_payment_completed')
    return { type: kindOfUnpaid(one), because: 'what the gateway calls it' };
  const renewal = (because: string): Kind => ({ type: 'renewal_payment_completed', because });
  const first = (because: string): Kind => ({ type: 'payment_completed', because });
  if (billing === 'renewal') return renewal('the gateway says that it renews the subscription');
  const payment = paymentOf(event);
  const same = payments.find(
    (one) =>
      one.event_id === idempotencyKey ||
      (one.transaction !== null && one.transaction === transactionID) ||
      (transactionID !== null && isOfInvoice(one, payment)),
  );
  if (same?.paid === 'renewal') return renewal('another event has reported it as one');
  if (typeof subscriptionID !== 'string') {
    if (billing === 'first') return first('the gateway says that it is the first');
    return invoiceID !== undefined && !same && isPaidOtherwise(one)
      ? renewal('it pays an invoice, and the order was paid before')
      : { type: genericType, because: 'what the gateway calls it' };
  }
  if (same) return first('this payment was the first');
  const isLater = payments.some(
    ({ subscription, paid, transaction, at }) =>
      subscription === subscriptionID &&
      paid !== 'renewal' &&
      (transaction !== null || billing === undefined) &&
      !((paid === 'part' || paid === 'none') && at !== undefined && Date.parse(at) > Date.parse(timeOf(event))),
  );
  if (paysRest(one)) return first('with what was paid of the subscription it is the total of the order');
  if (isLater && transactionID !== null) return renewal('the subscription has had its first payment');
  if (billing === 'first') return first('the gateway says that it is the first');
  return isPaidOtherwise(one)
    ? renewal('the order was paid before')
    : first('it is the first payment of the subscription');
}

/**
 * Whether it is the rest of an order whose deposit was taken from the same agreement ("Reference transaction payment", `merch_pmt`,
 * developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables): the two are the total of an order that awaits its payment.
 */
export function paysRest({ event, order, payments, awaiting }: PaymentCase): boolean {
  const { subscriptionID, transactionID } = event;
  const amount = amountOf(event, order);
  const ofAgreement = payments.filter(
    ({ subscription, transaction }) => subscription === subscriptionID && transaction !== transactionID,
  );
  if (amount === undefined || typeof subscriptionID !== 'string' || !awaiting.has(order.status)) return false;
  const isDeposit = ofAgreement.length > 0 && ofAgreement.every(({ paid }) => paid === 'part');
  const sum = ofAgreement.map((one) => amountOf(one, order) ?? nothing).reduce(addDecimals, amount);
  return isDeposit && compareDecimals(sum, totalOf(order)) === 0;
}

/**
 * A payment that failed or is still to come belongs to the first period of its subscription while nothing was paid and the order awaits its payment, and
 * where it is from before the first payment. What fails for an order in any other status never fails the order.
 */
function kindOfUnpaid(one: PaymentCase): GenericType | null {
  const { event, order, payments, awaiting } = one;
  const { genericType, billing, subscriptionID, transactionID } = event;
  const pair = firstAndRenewal.find((names) => names.some((name) => name === genericType));
  if (!pair || billing !== undefined || typeof subscriptionID !== 'string') return genericType;
  const [first, renewal] = pair;
  const same = payments.find(({ transaction }) => transaction !== null && transaction === transactionID);
  const isBefore = ({ paid, at }: Payment) => paid !== 'renewal' && Date.parse(at ?? '') > Date.parse(timeOf(event));
  const isFirst = same
    ? same.paid !== 'renewal'
    : isOwn(event, order) ||
      payments.some(isBefore) ||
      paysRest(one) ||
      (awaiting.has(order.status) && order.transaction_id === '' && payments.every(({ paid }) => paid === 'renewal'));
  if (!isFirst) return renewal;
  return genericType === renewal ? first : genericType;
}

/** Whether the order has had its own payment already, as far as it or its history says. */
function isPaidOtherwise({ event, order, payments, awaiting }: PaymentCase): boolean {
  if (payments.some(({ paid = 'whole', subscription = null }) => paid === 'whole' && subscription === null))
    return true;
  const { transaction_id, status } = order;
  if (transaction_id !== '' && event.transactionID !== null) return !isOwn(event, order);
  if (isNothing(totalOf(order)) && !isNothing(amountOf(event, order) ?? nothing)) return true;
  return !payableStatuses(awaiting).includes(status);
}

export function isOwn(
  { transactionID, orderReference }: Pick<UniversalEvent, 'transactionID' | 'orderReference'>,
  { transaction_id }: Pick<Order, 'transaction_id'>,
): boolean {
  return transaction_id !== '' && [transactionID, ...(orderReference.transactions ?? [])].includes(transaction_id);
}
