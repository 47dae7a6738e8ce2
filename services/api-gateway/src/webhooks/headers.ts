import staying from './staying-headers.json';

/** Headers that say nothing to intake, or that must not travel; `__proto__` is a name that no message keeps. */
const left = new Set(staying);

/** Gateways whose webhooks are proven by other means than `Authorization`; senders of all others may prove themselves by it. */
const provenOtherwise: ReadonlySet<string> = new Set(['gateway_card', 'gateway_wallet', 'gateway_shop']);

/**
 * The headers of a webhook with every value of a repeated one (names in lower case), from node's flat list of names and values.
 * Credentials stay behind, but for `Authorization` where an adapter may ask for it.
 */
export function forwardedHeaders(raw: readonly string[], gateway: string): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    if (left.has(name) && !(name === 'authorization' && !provenOtherwise.has(gateway))) continue;
    const value = raw[index + 1] as string;
    if (Object.hasOwn(headers, name)) headers[name]?.push(value);
    else headers[name] = [value];
  }
  return headers;
}
