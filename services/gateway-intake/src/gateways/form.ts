import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { RawInput } from './adapter';
import { isObject, type Parsed, type Payload, parseJson } from './payload';
import { formatRefusal } from './refusal';

const maxFields = 500;
const tooMany = formatRefusal('too_many_fields', `The form has more than ${maxFields} fields.`);
const repeated = formatRefusal('repeated_field', 'A field of the form came more than once.');

/** The sender's Content-Type decides how a webhook is read, and how it has to prove itself; each way is proof in itself. */
export const isForm = ({ headers }: Pick<RawInput, 'headers'>): boolean =>
  headers['content-type']?.[0]?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;

/**
 * Any JSON of at most 64 levels; what is none and says that it is a form, as that. What people send with curl says so too, and is JSON.
 * GitHub and Slack put their JSON in a form, as its field `payload` (https://docs.github.com/en/webhooks/using-webhooks/creating-webhooks).
 */
export function parseBody({ headers, body }: Pick<RawInput, 'headers' | 'body'>): Parsed {
  const { value, refusal } = parseJson(body);
  if (!refusal) return { payload: value as Payload };
  // Older senders write names in Latin-1; ids and amounts are ASCII all the same.
  const latin1 = isUtf8(body) ? undefined : parseJson(Buffer.from(body.toString('latin1')));
  if (latin1 && !latin1.refusal) return { payload: latin1.value as Payload };
  const form = isForm({ headers }) && body.includes('=') ? parseForm(body) : { refusal };
  const inner = form.payload?.payload;
  const { value: packed } = typeof inner === 'string' ? parseJson(Buffer.from(inner)) : {};
  if (isObject(packed)) return { payload: packed };
  return form.payload ? { payload: withNested(form.payload) } : form;
}

/** Beside the fields as they came what PHP and Rails write of nested data, `data[order_id]` (https://www.php.net/manual/function.http-build-query.php). */
function withNested(fields: Payload): Payload {
  const nested: Record<string, Payload> = {};
  for (const [name, value] of Object.entries(fields)) {
    const [, outer, key, rest] = /^([^[\]]{1,99})\[([^[\]]{1,99})\]((?:\[[^[\]]{1,99}\]){0,9})$/.exec(name) ?? [];
    if (outer !== undefined) nested[outer] = { ...nested[outer], [`${key}${rest}`]: value };
  }
  return { ...Object.fromEntries(Object.entries(nested).map(([name, data]) => [name, withNested(data)])), ...fields };
}

/** Reads a form in the character set that its field `charset` names (UTF-8 without one). A repeated field has no one meaning and is refused, but for a list, `items[]`. */
export function parseForm(body: Buffer): Parsed {
  const pairs = body.toString('latin1').split('&').filter(Boolean);
  if (pairs.length > maxFields) return { refusal: tooMany };
  const fields = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [bytesOf(name), bytesOf(value.join('='))];
  });
  const charset = fields.find(([name]) => name?.toString('latin1') === 'charset')?.[1]?.toString('latin1');
  const decoder = decoderOf(charset ?? 'utf-8');
  const entries = fields.map(([name, value]) => [decoder.decode(name), decoder.decode(value)] as const);
  const names = entries.map(([name]) => name).filter((name) => !name.endsWith('[]'));
  if (new Set(names).size < names.length) return { refusal: repeated };
  return { payload: Object.fromEntries(entries) };
}

function bytesOf(text: string): Buffer {
  const decoded = text
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}

/**
 * The wallet writes in more character sets than are known here, and in some of two bytes a letter
 * (https://qiita.com/PayPal_MTS/items/572278ba9924bb9ceafe): what is read of a form, ids and numbers, is ASCII all the same.
 */
function decoderOf(charset: string): TextDecoder {
  try {
    const decoder = new TextDecoder(charset, { ignoreBOM: true });
    if (decoder.decode(bytesOf('a')) === 'a') return decoder;
  } catch {
    // It is not known here.
  }
  return new TextDecoder('latin1');
}
