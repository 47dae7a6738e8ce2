/** The code of a currency in capitals, of ISO 4217 or one that shops use besides (`IRT`, `USDT`); undefined when the text is no code. */
export function currencyCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return /^[A-Z][A-Z0-9]{2,9}$/.test(code) ? code : undefined;
}
