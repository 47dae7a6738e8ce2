import { compareDecimals, type Decimal, formatDecimal, parseDecimal } from '@order-automation/contracts';

/** Decimals that both sides are brought to, so that comparing them is one comparison of integers. */
const commonScale = 8;

/** Exact amount ready to be compared; undefined when it is not a plain decimal number. */
export function amount(value: string | number): Decimal | undefined {
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
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** The amount with `decimals` digits after the point, with more only where it has more. */
export function amountText(value: number, decimals: number): string {
  const parsed = parseDecimal(value);
  return parsed ? formatDecimal(parsed, Math.max(decimals, parsed.scale)) : String(value);
}
