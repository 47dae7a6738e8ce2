import type { GenericType } from '@order-automation/contracts';
import { isObject, listAt, objectAt, own, type Payload, scalarAt } from '../payload';
import states from './states.json';

/** What one payment or one refund of an invoice means, in the shape in which the wallet tells of a capture. */
type Told = { readonly meaning: GenericType; readonly resource: Payload };

const named = /^INVOICING\.INVOICE\.(?:PAID|REFUNDED|CANCELLED)$/i;
const meanings = new Map(Object.entries(states.invoice) as [string, GenericType][]);

/**
 * What an event of an invoice tells. "An invoice is paid, partially paid, or payment is made and is pending" come under one name
 * (developer.paypal.com/docs/invoicing/webhooks), so that its status decides (developer.paypal.com/docs/api/invoicing/v2, `invoice_status`). It lists each of its
 * payments and refunds, those that were told before too. Its number is one that the wallet counts up: the order is the `reference` that the merchant wrote.
 */
export function invoiceEvents(type: string, resource: Payload): readonly Told[] | undefined {
  const invoice = objectAt(resource, 'invoice') ?? resource;
  const meaning = meanings.get(scalarAt(invoice, 'status')?.toUpperCase() ?? '');
  if (!named.test(type) || meaning === undefined) return undefined;
  const invoice_id = scalarAt(objectAt(invoice, 'detail'), 'reference');
  const payments = transactionsIn(invoice, 'payments');
  const isRefund = meaning === 'payment_refunded';
  const told = isRefund ? transactionsIn(invoice, 'refunds') : payments;
  const [payment, ...others] = payments;
  const capture_id = isRefund && others.length === 0 ? scalarAt(payment, 'payment_id') : undefined;
  return (told.length > 0 ? told : [invoice]).map((one) => {
    const id = scalarAt(one, 'refund_id') ?? scalarAt(one, 'payment_id');
    return { meaning, resource: { id, capture_id, invoice_id, amount: own(one, 'amount') } };
  });
}

/** `{transactions: [...]}`, or the list itself. */
function transactionsIn(invoice: Payload, key: string): readonly Payload[] {
  const found = own(invoice, key);
  return (Array.isArray(found) ? found : listAt(objectAt(invoice, key), 'transactions')).filter(isObject);
}
