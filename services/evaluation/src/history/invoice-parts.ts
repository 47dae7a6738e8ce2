import { addDecimals, compareDecimals, type Decimal } from '@order-automation/contracts';
import { amountOf, exceeds, isNothing, nothing, type Priced, totalOf } from './order-money';
import type { Payment, PaymentMatch } from './payments';

/** Of an invoice that names no payment: the sum of its payments, of which it may have several (docs.stripe.com/invoicing/partial-payments). */
const isSum = ({ invoice, transaction }: Payment): boolean => invoice !== undefined && transaction === null;

/** `card` of `payment.card.invoice_paid`. */
const familyOf = ({ event_type }: Payment): string | undefined => event_type.split('.')[1];

/** What the invoice may have been paid by. */
const partsOf = (sum: Payment, payments: readonly Payment[]): readonly Payment[] =>
  payments.filter(
    (one) =>
      one.transaction !== null && familyOf(one) === familyOf(sum) && (one.invoice ?? sum.invoice) === sum.invoice,
  );

const together = (payments: readonly Payment[], order: Priced): Decimal =>
  payments.map((one) => amountOf(one, order) ?? nothing).reduce(addDecimals, nothing);

/** Without the invoices whose payments are all there: those that are known as theirs, or all that may be. */
export const withoutComplete = (payments: readonly Payment[], order: Priced): readonly Payment[] =>
  payments.filter((one) => {
    if (!isSum(one) || isNothing(together([one], order))) return true;
    const parts = partsOf(one, payments);
    const isAll = (some: readonly Payment[]) => compareDecimals(together(some, order), together([one], order)) === 0;
    return !isAll(parts) && !isAll(parts.filter(({ invoice }) => invoice === one.invoice));
  });

/** Payments without what an invoice among them reports a second time: the invoice where its parts are complete, else the parts that would exceed the order with it. */
export function withoutSummedUp(all: readonly Payment[], order: Priced): readonly Payment[] {
  const payments = withoutComplete(all, order);
  const summedUp = payments.filter(isSum).flatMap((sum) => {
    const parts = partsOf(sum, payments);
    const [whole, paid] = [together([sum], order), together(parts, order)];
    return exceeds(whole, paid) && exceeds(addDecimals(whole, paid), totalOf(order)) ? parts : [];
  });
  return payments.filter((one) => !summedUp.includes(one));
}

/** The invoice that has reported this payment in its sum, or the last of the payments that this invoice sums up. */
export function matchInvoice(own: readonly Payment[], payment: Payment, order: Priced): PaymentMatch | undefined {
  const isReportedBy = (sum: Payment, parts: readonly Payment[]): boolean =>
    parts.length > 0 && withoutSummedUp([sum, ...parts], order).length <= parts.length;
  if (!isSum(payment)) {
    const open = withoutComplete(own, order).filter(isSum);
    const of = open.find((one) => isReportedBy(one, [...partsOf(one, own), payment]));
    return of && { kind: 'repeated', of };
  }
  const parts = partsOf(payment, own);
  const of = parts.at(-1);
  const isComplete = compareDecimals(together(parts, order), together([payment], order)) === 0;
  return of && isComplete ? { kind: 'repeated', of } : undefined;
}
