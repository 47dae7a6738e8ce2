/** Exact money (decisions.md section 1): decimal strings, compared and converted without floating point. Decimals of currencies: ISO 4217. */

const zeroDecimals = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));
const threeDecimals = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

const iso4217 = new Set(Intl.supportedValuesOf('currency'));

/** Number of decimals of a currency by its ISO 4217 code, in either case; `unknown` where it is none of them. */
export function currencyDecimals(currency: string, unknown = 2): number {
  const code = currency.toUpperCase();
  if (zeroDecimals.has(code)) return 0;
  if (threeDecimals.has(code)) return 3;
  return iso4217.has(code) ? 2 : unknown;
}

export type Decimal = { readonly units: bigint; readonly scale: number };

const decimalPattern = /^([+-]?)(\d{1,30})(?:\.(\d{1,20}))?$/;

/** Parses `-12.340`; undefined when the text is not a plain decimal number. Numbers are taken by their shortest text. */
export function parseDecimal(value: string | number): Decimal | undefined {
  const text = typeof value === 'number' ? numberText(value) : value.trim();
  const match = decimalPattern.exec(text);
  if (!match) return undefined;
  const fraction = match[3] ?? '';
  const units = BigInt(`${match[2]}${fraction}`);
  return { units: match[1] === '-' ? -units : units, scale: fraction.length };
}

function numberText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isFinite(value) ? value.toFixed(12).replace(/\.?0+$/, '') : text;
}

const atScale = (value: Decimal, scale: number): bigint => value.units * 10n ** BigInt(scale - value.scale);

/** Negative, zero or positive, as a is less than, equal to or greater than b. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.scale !== b.scale) {
    const scale = Math.max(a.scale, b.scale);
    return compareDecimals({ units: atScale(a, scale), scale }, { units: atScale(b, scale), scale });
  }
  if (a.units === b.units) return 0;
  return a.units < b.units ? -1 : 1;
}

/** Exact. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: atScale(a, scale) + atScale(b, scale), scale };
}

/** With at most these decimals, half away from zero. */
export function roundDecimal(value: Decimal, decimals: number): Decimal {
  if (value.scale <= decimals) return value;
  const step = 10n ** BigInt(value.scale - decimals);
  const half = value.units < 0n ? -step / 2n : step / 2n;
  return { units: (value.units + half) / step, scale: decimals };
}

/** Decimal text with exactly `decimals` digits after the point; further digits are rounded half away from zero. */
export function formatDecimal(value: Decimal, decimals: number): string {
  const units = atScale(roundDecimal(value, decimals), decimals);
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(digits.length - decimals)}`;
  return units < 0n ? `-${text}` : text;
}
