import { formatDecimal, parseDecimal } from '@order-automation/contracts';

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
