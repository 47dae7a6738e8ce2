import { toUSVString } from 'node:util';
import { redacted } from '../process/secret';
import { maskCardNumbers, mayHoldCardNumber } from './card-numbers';
import { isSecretParameter, masked } from './masked';

const maxText = 4000;
const suspicious = /[kK]_|whsec|eyJ|[Bb]earer|[Bb]asic|BEGIN|[?&][\w.~%-]+=/;
/** No card number, key or token is shorter than this; credentials in an address are, and need an @. */
const shortestSecret = 14;
/** No key in what is quoted is. */
const shortestQuoted = 11;
/** Halves of a pair are no characters, and a store would keep something else than what the digest covers. */
const surrogates = /[\ud800-\udfff]/;

/** Credentials in URIs and in their queries, card numbers, keys and tokens, which may stand anywhere in a text. */
export function redactText(text: string): string {
  const short = text.length > maxText ? `${text.slice(0, maxText)}…` : text;
  const plain = maskCardNumbers(withoutUriCredentials(short));
  if (!suspicious.test(plain)) return plain;
  return plain
    .replace(masked.texts.key, redacted)
    .replace(masked.texts.parameter, (whole, start: string, name: string) =>
      isSecretParameter(name) ? `${start}${redacted}` : whole,
    );
}

/** `scheme://user:password@host` without what stands before the `@`. */
export const withoutUriCredentials = (text: string): string =>
  text.includes('@') ? text.replace(masked.texts.userInfo, `$1${redacted}@`) : text;

/** Whether there is nothing to mask in a text; true is certain. Cheap, for texts of which nearly all are so. */
export function isCleanText(text: string): boolean {
  if (surrogates.test(text)) return false;
  if (text.length < shortestSecret) return !text.includes('@');
  return text.length <= maxText && !text.includes('@') && !suspicious.test(text) && !mayHoldCardNumber(text);
}

/** A text as the audit log keeps it: as `redactText`, and without addresses of people. Half a surrogate pair becomes U+FFFD. */
export function maskText(text: string): string {
  if (isCleanText(text)) return text;
  return toUSVString(redactText(text)).replace(masked.texts.address, '$1***@$2');
}

/** The first e-mail address that `maskText` would mask. */
export const addressIn = (text: string): string | undefined =>
  text.includes('@') ? text.match(masked.texts.address)?.[0] : undefined;

/** Text of a payload, fit to be quoted in the audit log (decisions.md section 7): card numbers, e-mail addresses, credentials and keys are masked. */
export function forLog(text: string): string {
  if (text.length < shortestQuoted && !text.includes('@')) return text;
  const plain = redactText(text);
  const unnamed = plain.includes('@') ? plain.replace(masked.quoted.address, '[email]') : plain;
  return unnamed.includes('_') ? unnamed.replace(masked.quoted.key, '[secret]') : unnamed;
}
