import { currencyDecimals } from '@order-automation/contracts';

/**
 * Where card gateways count minor units otherwise than ISO 4217 (docs.stripe.com/currencies, "Special cases"): ISK and UGX have no decimals
 * any more and are still sent with two, and MGA, whose fifths nobody uses, is sent without.
 */
const special: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** Decimals that the minor units of this currency stand for. */
export function cardDecimals(currency: string): number {
  const code = currency.toUpperCase();
  return special[code] ?? currencyDecimals(code);
}
