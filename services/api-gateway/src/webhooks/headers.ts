/** Headers that say nothing to intake, or that must not travel. */
const left = new Set([
  // A name that no message keeps.
  '__proto__',
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'pragma',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers of a webhook with every value of a repeated one (names in lower case), from node's flat list of names and values.
 * Credentials stay behind, but for `Authorization` on the generic gateway, whose senders may have to prove themselves by it.
 */
export function forwardedHeaders(raw: readonly string[], gateway: string): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    if (left.has(name) && !(name === 'authorization' && gateway === 'generic')) continue;
    const value = raw[index + 1] as string;
    if (Object.hasOwn(headers, name)) headers[name]?.push(value);
    else headers[name] = [value];
  }
  return headers;
}
