import { type EventDescription, type GenericType, genericTypes } from '@order-automation/contracts';
import tables from './tables.json';

/** Section 6.3 of the specification: the 12 built-in ids. */
export const genericEvents = tables.events as Readonly<Record<keyof typeof tables.events, EventDescription>>;

/** decisions.md section 6. */
const aliases = new Map(Object.entries(tables.aliases) as [string, GenericType][]);
const known = new Map<string, GenericType>(genericTypes.map((type) => [type, type]));
/** `canceled`, `order_voided`: what was cancelled is the payment unless it says otherwise. */
const cancelled = /^(?:(payment|order|subscription)_)?(?:void|voided|canceled|cancelled)$/;

/** Kinds of events that are about no order (decisions.md section 12), as gateways call them: `payout.paid`, `CATALOG.PRODUCT.CREATED`, `customer_updated`. */
const kindWithoutOrder = new RegExp(`^(?:[a-z]+[./])*(?:${tables.without_order.join('|')})[\\s._:/-]`, 'i');
const ofPayout = /^(?:payouts?|settlements?)[\s._:/-]|^(?:[a-z]+_)?disbursement/i;
/** What speaks of an order all the same: `customer.subscription.deleted`, `account_charged`. */
const speaksOfOrder =
  /order|subscri(?!ber)|dispute|charge|refund|invoice|paid|purchas|sold|payment(?![_.-]?(?:method|token|source|instrument|consent|profile))/i;
/** What senders post to try the address. */
const trial = /^(?:ping|test|webhook[\s._:/-](?:test|ping|created))$/i;

/** Whether an event of this type is about no order by its kind, so that its id is that of no payment. */
export const isWithoutOrder = (type: string | null): boolean =>
  type !== null &&
  (trial.test(type) || ofPayout.test(type) || (kindWithoutOrder.test(type) && !speaksOfOrder.test(type)));

/** A thing and what happened to it, in words of the sender that speak of no order: `themes/publish`, `team_member.created`. */
export const isOfSomethingElse = (type: string | null): boolean =>
  type !== null &&
  /\w[\s._:/-]\w/.test(type) &&
  !speaksOfOrder.test(type) &&
  !/transaction|capture|checkout/i.test(type) &&
  vocabularyType(type) === undefined;

/** The vocabulary's word for a sender's word, in any case and with any separator; undefined when there is none. */
export function vocabularyType(type: string): GenericType | undefined {
  const word = type.toLowerCase().replace(/[\s.:/-]+/g, '_');
  const what = cancelled.exec(word);
  if (what) return known.get(`${what[1] ?? 'payment'}_cancelled`);
  return known.get(word) ?? aliases.get(word);
}
