import { compareDecimals, type Decimal, formatDecimal, parseDecimal } from '@order-automation/contracts';

/** Decimals that both sides are brought to, so that comparing them is one comparison of integers. */
const commonScale = 8;

const powers = Array.from({ length: commonScale + 1 }, (_, exponent) => 10 ** exponent);
const point = 46;
const zero = 48;

/** Units at the common scale of short text like `1234.50`; undefined when it is anything else. Exact: it stays within safe integers. */
function shortUnits(text: string): number | undefined {
  if (text.length === 0 || text.length > 15) return undefined;
  let units = 0;
  let pointAt = -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const digit = code - zero;
    if (digit >= 0 && digit <= 9) units = units * 10 + digit;
    else if (code === point && pointAt < 0 && at > 0 && at < text.length - 1) pointAt = at;
    else return undefined;
  }
  const power = powers[commonScale - (pointAt < 0 ? 0 : text.length - pointAt - 1)];
  const scaled = power === undefined ? Number.NaN : units * power;
  return Number.isSafeInteger(scaled) ? scaled : undefined;
}

/** Exact amount ready to be compared; undefined when it is not a plain decimal number. */
export function amount(value: string | number): Decimal | undefined {
  const short = typeof value === 'string' ? shortUnits(value) : undefined;
  if (short !== undefined) return { units: BigInt(short), scale: commonScale };
  const parsed = parseDecimal(value);
  if (!parsed || parsed.scale >= commonScale) return parsed;
  return { units: parsed.units * 10n ** BigInt(commonScale - parsed.scale), scale: commonScale };
}

let lastText: string | undefined;
let lastAmount: Decimal | undefined;

/** `amount` of text that is asked for again and again: the rules of one occurrence all look at the same total. */
export function sameAmount(text: string): Decimal | undefined {
  if (text !== lastText) {
    lastAmount = amount(text);
    lastText = text;
  }
  return lastAmount;
}

/** Negative, zero or positive. */
export function compareAmounts(a: Decimal, b: Decimal): number {
  if (a.scale !== b.scale) return compareDecimals(a, b);
  return a.units === b.units ? 0 : a.units < b.units ? -1 : 1;
}

/** Digits after the point of decimal text. */
export function decimalsOf(text: string): number {
  const at = text.indexOf('.');
  return at < 0 ? 0 : text.length - at - 1;
}

/** The amount with `decimals` digits after the point, with more only where it has more. */
export function amountText(value: number, decimals: number): string {
  const parsed = parseDecimal(value);
  return parsed ? formatDecimal(parsed, Math.max(decimals, parsed.scale)) : String(value);
}
