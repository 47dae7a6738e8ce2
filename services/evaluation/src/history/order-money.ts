import {
  addDecimals,
  compareDecimals,
  currencyDecimals,
  type Decimal,
  formatDecimal,
  type Order,
  parseDecimal,
  roundDecimal,
  type UniversalEvent,
} from '@order-automation/contracts';

export type Priced = Pick<Order, 'total' | 'currency'>;

export const nothing: Decimal = { units: 0n, scale: 0 };
export const isNothing = (amount: Decimal): boolean => compareDecimals(amount, nothing) <= 0;
export const minus = (one: Decimal, other: Decimal): Decimal => addDecimals(one, { ...other, units: -other.units });
export const exceeds = (one: Decimal, other = nothing): boolean => compareDecimals(one, other) > 0;

/** Decimals of a currency; of one that ISO 4217 does not know those that the order is written in. */
const decimalsOf = ({ currency, total }: Priced): number => currencyDecimals(currency, parseDecimal(total)?.scale);

/** In the smallest unit of the order's currency: shops calculate with more decimals than a gateway can take. */
export function amountOf({ amount }: { readonly amount: string | null }, order: Priced): Decimal | undefined {
  const value = parseDecimal(amount ?? '');
  return value && roundDecimal(value, decimalsOf(order));
}

/** The event with its amount as the order would write it. */
export const inMoneyOfOrder = (event: UniversalEvent, order: Priced): UniversalEvent =>
  asOrdered(inDecimalsOfOrder(event, order), order);

/**
 * Decimals that a gateway takes: "5.124 KWD must be rounded to 5120 or 5130" (docs.stripe.com/currencies#three-decimal); "This currency does not support
 * decimals" (HUF, TWD; developer.paypal.com/api/rest/reference/currency-codes).
 */
function takenDecimals({ sourceGateway }: UniversalEvent, order: Priced): number {
  if (sourceGateway === 'gateway_card') return Math.min(2, decimalsOf(order));
  return sourceGateway === 'gateway_wallet' && /^(?:HUF|TWD)$/i.test(order.currency) ? 0 : decimalsOf(order);
}

/** What differs from the order by less than those decimals is the order's amount: plugins round what a shop has more decimals of, or cut it. */
function asOrdered(event: UniversalEvent, order: Priced): UniversalEvent {
  if (event.currency?.toUpperCase() !== order.currency.toUpperCase()) return event;
  const [charged, total] = [parseDecimal(event.amount ?? ''), parseDecimal(order.total)];
  if (!charged || !total || !isAsTaken(charged, total, takenDecimals(event, order))) return event;
  return { ...event, amount: inDecimalsOf(total, order) };
}

/**
 * Below 0 where some of the order is missing. Parts of an order are rounded or cut, too, so that their sum may be less or more by that. What may be the total
 * with a point in its thousands is no part of it.
 */
export function comparedWithTotal(received: Decimal, event: UniversalEvent, order: Priced): number {
  if (isInThousands(event, order)) return 1;
  const total = totalOf(order);
  return isAsTaken(received, total, takenDecimals(event, order)) ? 0 : compareDecimals(received, total);
}

/** Whether it is money of so many decimals that differs from the total by less than the last of them. A shop of two decimals has no more in dinars either. */
const isAsTaken = (taken: Decimal, total: Decimal, decimals: number): boolean =>
  (compareDecimals(taken, roundDecimal(taken, decimals)) === 0 && agree(taken, total, decimals)) ||
  (total.scale === 2 && agree(taken, total, 2));

/** Whether they differ by less than the last of these decimals. */
export function agree(one: Decimal, other: Decimal, decimals: number): boolean {
  const difference = minus(one, other);
  const distance = difference.units < 0n ? { ...difference, units: -difference.units } : difference;
  return exceeds({ units: 1n, scale: decimals }, distance);
}

/** The amount in the smallest unit of a currency that ISO 4217 does not know is read by the order's decimals (decisions.md section 12). */
function inDecimalsOfOrder(event: UniversalEvent, order: Priced): UniversalEvent {
  if (event.minorUnits === undefined) return event;
  const decimals = decimalsOf(order);
  return { ...event, amount: formatDecimal({ units: BigInt(event.minorUnits), scale: decimals }, decimals) };
}

/** How the amount of an event is that of the order, if its sender writes it otherwise than its connection says. */
export function hintOf(event: UniversalEvent, order: Priced): string {
  const { sourceGateway, amount, currency } = event;
  if (isInThousands(event, order)) return ', the same if its point separates thousands: the sender has to leave it out';
  const isMinor = order.total.includes('.') && Number(amount) === Number(order.total.replace('.', ''));
  const isSame = isMinor && sourceGateway === 'generic' && [null, order.currency].includes(currency);
  return isSame ? ', the same if its amounts are in cents: see the settings of the sender' : '';
}

/** `150.000` of 150000 CLP, as es-CL, id and de write it (unicode.org/reports/tr35/tr35-numbers.html#Number_Symbols). */
function isInThousands({ sourceGateway, amount }: UniversalEvent, order: Priced): boolean {
  const isWritten = sourceGateway === 'generic' && decimalsOf(order) < 3 && /^\d{1,3}\.\d{3}$/.test(amount ?? '');
  return isWritten && Number(amount?.replace('.', '')) === Number(order.total);
}

export const totalOf = (order: Priced): Decimal => amountOf({ amount: order.total }, order) ?? nothing;

export const inDecimalsOf = (amount: Decimal, order: Priced): string =>
  formatDecimal(amount, Math.max(amount.scale, decimalsOf(order)));
