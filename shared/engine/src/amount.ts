import { type Decimal, formatDecimal, parseDecimal } from '@order-automation/contracts';

/** Decimals that both sides are brought to, so that comparing them is one comparison of integers. */
const commonScale = 8;

/** `parseDecimal`, ready to be compared often. */
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
