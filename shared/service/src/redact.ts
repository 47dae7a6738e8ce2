import { maskCardNumbers } from './card-numbers';
import { redacted } from './secret';

const secretNames =
  /passw(or)?d|passphrase|secret|authorization|cookie|token|signature|sig$|credential|apikey|privatekey|accesskey|nonce|jwt|cardnumber|accountnumber|^(pan|cvc|cvv|iban|hmac)$/;
const personalNames =
  /email|phone|firstname|lastname|fullname|customername|postcode|^(address\d?|billing|shipping|company|city|customer|rawdata|rawbody|body)$/;

const maxDepth = 8;
const maxItems = 100;
const maxText = 4000;

/** Whether what stands under this name must not be logged: secrets and personal data, in any spelling of the name. */
export function isSensitiveName(name: string): boolean {
  const plain = plainName(name);
  return secretNames.test(plain) || personalNames.test(plain);
}

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Keys and tokens by the shape that their makers give them. */
const secretShapes =
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}|\bwhsec_[A-Za-z0-9+/=_-]{8,}|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*|\b(?:Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*/g;
/** A parameter in the query of an address: how it begins, its name, its value. */
const parameters = /([?&]([\w.~%-]{1,100})=)[^\s&#"'<>]+/g;
const suspicious = /[kK]_|whsec|eyJ|[Bb]earer|[Bb]asic|BEGIN|[?&][\w.~%-]+=/;

/** Whether a text may hold a key or a token; false is certain. */
export function mayHoldToken(text: string): boolean {
  return suspicious.test(text);
}

/** Credentials in URIs and in their queries, card numbers, keys and tokens, which may stand anywhere in a text. */
export function redactText(text: string): string {
  const short = text.length > maxText ? `${text.slice(0, maxText)}…` : text;
  const masked = maskCardNumbers(withoutUriCredentials(short));
  if (!mayHoldToken(masked)) return masked;
  return withoutSecretParameters(masked.replace(secretShapes, redacted));
}

/** Queries of addresses without the values of credentials. `key` and `auth` are names of credentials there alone. */
function withoutSecretParameters(text: string): string {
  return text.replace(parameters, (whole, start: string, name: string) => {
    const plain = plainName(name);
    const isSecret = secretNames.test(plain) || plain === 'key' || plain === 'auth';
    return isSecret ? `${start}${redacted}` : whole;
  });
}

/** `scheme://user:password@host` without what stands before the `@`. */
export function withoutUriCredentials(text: string): string {
  return text.includes('@') ? text.replace(/([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'<>]+@/gi, `$1${redacted}@`) : text;
}

/** A copy fit to log, at any depth: sensitive names blanked, errors flattened, bytes counted, depth and length bounded. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return redactArray(value, depth);
  if (value instanceof Map || value instanceof Set) return `[${value.size} items]`;
  if (hasJson(value)) return redactJson(value, depth);
  return redactEntries(value, depth);
}

function redactArray(items: readonly unknown[], depth: number): unknown[] {
  const copy = items.slice(0, maxItems).map((item) => redact(item, depth + 1));
  if (items.length > maxItems) copy.push(`[${items.length - maxItems} more]`);
  return copy;
}

function hasJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function redactJson(value: { toJSON(): unknown }, depth: number): unknown {
  try {
    return redact(value.toJSON(), depth + 1);
  } catch {
    return '[unreadable]';
  }
}

function redactEntries(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).slice(0, maxItems)) {
    copy[name === '__proto__' ? '[__proto__]' : name] = isSensitiveName(name)
      ? redacted
      : redactField(value, name, depth);
  }
  return copy;
}

function redactField(value: object, name: string, depth: number): unknown {
  try {
    return redact((value as Record<string, unknown>)[name], depth + 1);
  } catch {
    return '[unreadable]';
  }
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const flat: Record<string, unknown> = {
    type: error.name,
    message: redactText(String(error.message)),
    stack: redactText(String(error.stack ?? '')),
    ...redactEntries(error, depth),
  };
  if (error.cause !== undefined) flat.cause = redact(error.cause, depth + 1);
  if (error instanceof AggregateError) flat.errors = redactArray(error.errors, depth);
  return flat;
}
