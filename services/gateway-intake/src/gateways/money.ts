import {
  currencyDecimals,
  type Decimal,
  formatDecimal,
  parseDecimal,
  type UniversalEvent,
} from '@order-automation/contracts';
import { forLog } from '@order-automation/service';
import numeric from './numeric-currencies.json';
import { scalar } from './payload';

/** Amount and currency of an event. Where something is there and cannot be read exactly, `amountProblem` says why and `amount` is null. */
export type Money = Pick<UniversalEvent, 'amount' | 'currency' | 'amountProblem' | 'minorUnits'>;

/** Absent is not unreadable (decisions.md section 6): missing, null and empty text say nothing. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Money in minor units, which mean nothing without a currency. `decimalsOf` says how many decimals they stand for where the gateway differs from ISO. */
export function minorMoney(amount: unknown, currency: unknown, decimalsOf = currencyDecimals): Money {
  if (isAbsent(amount)) return withoutAmount(currency);
  const units = minorUnits(amount);
  if (units === undefined)
    return unreadable(currency, `The amount ${quoted(amount)} is not a whole number of minor units.`);
  if (isAbsent(currency)) return unreadable(currency, 'The amount is in minor units and there is no currency.');
  const code = codeOf(currency);
  if (code === null) return unreadable(currency, currencyProblem(currency));
  const text = exactText({ units, scale: decimalsOf(code) }, currencyDecimals(code));
  const isUnknown = currencyDecimals(code, -1) === -1;
  return { amount: text, currency: code, amountProblem: null, ...(isUnknown && { minorUnits: String(units) }) };
}

/**
 * Money as decimal text or number; without a currency it is in the order's. Decimals beyond the currency's own are kept, never rounded, and those of a code
 * that ISO 4217 does not know (`IRT`) are kept as they are.
 */
export function decimalMoney(amount: unknown, currency: unknown): Money {
  if (isAbsent(amount)) return withoutAmount(currency);
  const code = isAbsent(currency) ? null : codeOf(currency);
  if (code === null && !isAbsent(currency)) return unreadable(currency, currencyProblem(currency));
  const text = decimalText(amount, code);
  if (text === undefined) return unreadable(currency, `The amount ${quoted(amount)} is not a plain decimal number.`);
  return { amount: text, currency: code, amountProblem: null };
}

function withoutAmount(currency: unknown): Money {
  if (isAbsent(currency)) return { amount: null, currency: null, amountProblem: null };
  const code = codeOf(currency);
  return { amount: null, currency: code, amountProblem: code === null ? currencyProblem(currency) : null };
}

function unreadable(currency: unknown, amountProblem: string): Money {
  return { amount: null, currency: codeOf(currency), amountProblem };
}

const currencyProblem = (currency: unknown): string =>
  `The currency ${quoted(currency)} is not the code of a currency.`;
/** The numbers that ISO 4217 gives to currencies: `"CurrencyCode": "978"` (developer.viva.com/webhooks-for-payments/transaction-payment-created). */
const byNumber = new Map(numeric.codes.split(' ').map((one) => [one.slice(0, 3), one.slice(3)]));
/** "‘TL’, ‘USD’, ‘EUR’", dev.paytr.com/en/link-api/linkle-api-callback. */
const written = (text: string): string => (text.trim().toUpperCase() === 'TL' ? 'TRY' : text);
const codeOf = (currency: unknown): string | null =>
  (typeof currency === 'string' && currencyCode(written(currency))) ||
  (byNumber.get(scalar(currency)?.padStart(3, '0') ?? '') ?? null);

/** `29.00` with two decimals is 2900: what a sender writes that counts in minor units. */
export function wholeUnits(total: string, decimals: number): number {
  const { units, scale } = parseDecimal(total) ?? { units: 0n, scale: 0 };
  const [more, less] = [10n ** BigInt(Math.max(0, decimals - scale)), 10n ** BigInt(Math.max(0, scale - decimals))];
  return Number((units * more) / less);
}

/** The code of a currency in capitals, of ISO 4217 or one that shops use besides (`IRT`, `USDT`); undefined when the text is no code. */
export function currencyCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return /^[A-Z][A-Z0-9]{2,9}$/.test(code) ? code : undefined;
}

function minorUnits(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^\s*-?\d{1,30}\s*$/.test(value) ? BigInt(value) : undefined;
}

function decimalText(amount: unknown, currency: string | null): string | undefined {
  if (typeof amount !== 'string' && typeof amount !== 'number') return undefined;
  const value = /e/i.test(String(amount)) ? undefined : parseDecimal(amount);
  if (!value) return undefined;
  const decimals = currency === null ? 2 : currencyDecimals(currency, value.scale);
  return exactText(value, maybeThousands.test(String(amount).trim()) ? 3 : decimals);
}

/** Kept as it is written: the point may separate thousands, which the order tells. */
const maybeThousands = /^\d{1,3}\.\d{3}$/;

/** With these decimals, or more where there are more: nothing is rounded. */
function exactText({ units, scale }: Decimal, decimals: number): string {
  if (scale > decimals && units % 10n === 0n) return exactText({ units: units / 10n, scale: scale - 1 }, decimals);
  return formatDecimal({ units, scale }, Math.max(decimals, scale));
}

const longestQuote = 20;

/** What stands there, fit for the log: short values as they are, others by their kind. */
function quoted(value: unknown): string {
  if (Array.isArray(value)) return 'that is a list';
  if (typeof value === 'object') return 'that is an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > longestQuote ? `of ${text.length} characters` : forLog(text);
}
