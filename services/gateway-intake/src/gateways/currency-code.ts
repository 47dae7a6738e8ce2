/** Currencies in use (ISO 4217). */
const currencies = new Set(
  `
  AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY
  COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR
  ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP
  MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG
  SEK SGD SHP SLE SLL SOS SRD SSP STD STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND
  VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG ZWL
  `
    .trim()
    .split(/\s+/),
);

/** The currency in capitals; undefined when it is no code. Shops have codes that ISO 4217 does not know (`IRT`, `USDT`, `PTS`). */
export function currencyCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return /^[A-Z][A-Z0-9]{1,4}$/.test(code) ? code : undefined;
}

/** Whether ISO 4217 says how many decimals it has. */
export function isIsoCurrency(code: string): boolean {
  return currencies.has(code);
}
