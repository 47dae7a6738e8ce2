import { type EventDescription, type GenericType, genericTypes } from '@order-automation/contracts';
import type { Connection } from '../connection';
import { scalar } from '../payload';
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

/** States of what is not paid, or not any more. */
export const notPaid =
  /^(?:pending|processing|in[_ -]?pro(?:gress|cess)|created|initiated|open|new|unpaid|authori[sz]ed|(?:a?waiting|requires)[_ -]\w+|on[_ -]?hold|abandoned|expired|cancell?ed|void(?:ed)?|refunded|reversed)$/i;

/** `SUCCESS`, `declined`: what it is the state of, other fields say. */
export const isStateAlone = (type: string | null): boolean => /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(type ?? '');

/** `paymentCompleted`, `CustomerUpdated` in words. */
const inWords = (type: string): string => type.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_');

/** Whether an event of this type is about no order by its kind, so that its id is that of no payment. */
export function isWithoutOrder(type: string | null): boolean {
  const words = inWords(type ?? '');
  return trial.test(words) || ofPayout.test(words) || (kindWithoutOrder.test(words) && !speaksOfOrder.test(words));
}

/** A thing and what happened to it, in words of the sender that speak of no order: `themes/publish`, `team_member.created`. */
export const isOfSomethingElse = (type: string | null): boolean =>
  type !== null &&
  /\w[\s._:/-]\w/.test(type) &&
  !speaksOfOrder.test(type) &&
  !/transaction|capture|checkout/i.test(type) &&
  vocabularyType(type) === undefined;

/** The vocabulary's word for a sender's word, in any case and with any separator; undefined when there is none. */
export function vocabularyType(type: string): GenericType | undefined {
  const word = inWords(type)
    .toLowerCase()
    .replace(/[\s.:/-]+/g, '_');
  const what = cancelled.exec(word);
  if (what) return known.get(`${what[1] ?? 'payment'}_cancelled`);
  return known.get(word) ?? aliases.get(word);
}

type Types = NonNullable<Connection['types']>;

/** A plain no is one too: of a payment that was not captured. A yes is one where the connection says that it means something else. */
function subtypeOf(type: string, value: unknown, types: Types): string | undefined {
  if (value === true) return Object.hasOwn(types, `${type}.true`) ? 'true' : undefined;
  return value === false ? 'false' : scalar(value);
}

/**
 * The type with its subtypes after full stops, and what the connection says that it means, or means as far as it is in the table. An event without a type is
 * a `custom_event` there: who reports nothing but payments writes no state (docs.robokassa.ru/pay-interface, ResultURL: `OutSum`, `InvId`).
 */
export function typeOf(type: string | undefined, subtypes: readonly unknown[], types: Types) {
  const named = type ?? 'custom_event';
  const words = [named, ...subtypes.flatMap((one) => subtypeOf(named, one, types) ?? [])];
  const known = words
    .map((_word, index) => words.slice(0, index + 1).join('.'))
    .findLast((one) => Object.hasOwn(types, one));
  const meaning = known === undefined ? undefined : types[known];
  return { type: type === undefined ? null : (scalar(words.join('.')) ?? type), meaning };
}
