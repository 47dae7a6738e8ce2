import { invoice } from './case';

/** "Invoice: … removes `payment_intent`, `charge`, `subscription`", https://docs.stripe.com/changelog/basil (2025-03-31, invoice flexibility). */
export const sinceBasil = { payment_intent: undefined, subscription: undefined, subscription_details: undefined };
export const basil = (id: number, name: string, reason: string, metadata: object = {}, subscription = `sub_${id}`) => ({
  ...invoice(id, name, reason),
  ...sinceBasil,
  parent: { type: 'subscription_details', subscription_details: { metadata, subscription } },
});
/** "Invoice Payment", https://docs.stripe.com/api/invoice-payment/object */
export const invoicePayment = (id: number, name: string, more: object = {}) => ({
  id: `inpay_${name}_${id}`,
  object: 'invoice_payment',
  amount_paid: 4900,
  currency: 'usd',
  invoice: `in_${name}_${id}`,
  payment: { type: 'payment_intent', payment_intent: `pi_${name}_${id}` },
  status: 'paid',
  ...more,
});
