/**
 * The address, or undefined for what is none. `URL.canParse` is not asked: where V8 has optimised a call of it, Node.js 20 takes letters such as
 * ü for broken text (https://github.com/AikidoSec/firewall-node/pull/1086).
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
