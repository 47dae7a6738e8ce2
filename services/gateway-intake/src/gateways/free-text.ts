import { isObject, type Payload, parseJson } from './payload';

/** Longest text in which data is looked for, in characters; PayPal takes 256, others more. */
export const longestData = 4_000;

export const orderKey = /^wc_order_\w{1,90}$/i;

/**
 * The data that plugins write into a field made for one text: JSON, what PHP's `serialize` makes of it, a query string, an order and its key; also
 * percent-encoded, escaped for HTML or for a string, or in base64. Undefined where the text is none of this.
 */
export const dataIn = (text: string): Payload | undefined =>
  plainData(text) ?? decodings.map((decode) => plainData(decode(text))).find((data) => data !== undefined);

const decodings: readonly ((text: string) => string)[] = [
  (text) => (/^%7B|^\w+%3D/i.test(text) ? percentDecoded(text) : ''),
  (text) => (text.includes('&quot;') ? text.replaceAll('&quot;', '"') : ''),
  (text) => (/^\{\\"/.test(text) ? text.replaceAll('\\"', '"') : ''),
  (text) => (/^[A-Za-z\d+/_-]{12,}={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : ''),
];

const readings: readonly ((text: string) => Payload | undefined)[] = [inJson, serialized, paired, inQuery];

function plainData(text: string): Payload | undefined {
  for (const read of readings) {
    const data = read(text);
    if (data) return data;
  }
  return undefined;
}

function inJson(text: string): Payload | undefined {
  if (!/^[{[]/.test(text)) return undefined;
  const { value } = parseJson(Buffer.from(text));
  if (Array.isArray(value)) return value.length === 2 ? pairOf(String(value[0]), String(value[1])) : undefined;
  return isObject(value) ? value : undefined;
}

/** What WooCommerce wrote into `custom` before it wrote JSON, `serialize([order id, order key])`, and flat arrays with names. */
function serialized(text: string): Payload | undefined {
  if (!/^a:\d{1,3}:\{.*\}$/s.test(text)) return undefined;
  const item = /(?:i:(-?\d{1,20})|s:\d{1,4}:"([^"]{0,500})"|[bd]:([\d.]{1,20}));|N;/g;
  const values = [...text.slice(text.indexOf('{') + 1).matchAll(item)].map(([, ...found]) =>
    found.find((one) => one !== undefined),
  );
  const entries = values.flatMap((key, at) =>
    at % 2 === 0 && key !== undefined ? [[key, values[at + 1]] as const] : [],
  );
  const data = Object.fromEntries(entries);
  return entries.length === 2 && data[0] !== undefined && data[1] !== undefined ? pairOf(data[0], data[1]) : data;
}

/** OpenPix writes `wc_order_…-12`, GNU Taler and Worldpay the number, the latter with a time behind it. */
const keyed = /^(wc_order_[a-z\d]{1,50})[-_](\d{1,9})(?:[-_]\d{10,13})?$/i;

/** `12|wc_order_…`, in either order, or the key and what it is of. */
export function paired(text: string): Payload | undefined {
  const [, order_key, order_id] = keyed.exec(text) ?? [];
  if (order_key !== undefined) return { order_id, order_key };
  const [, one = '', other = ''] = /^([^\s|,:;{}"]{1,100})[|,:;]([^\s|,:;{}"]{1,100})$/.exec(text) ?? [];
  return pairOf(one, other);
}

function pairOf(one: string, other: string): Payload | undefined {
  if (orderKey.test(other)) return { order_id: one, order_key: other };
  return orderKey.test(one) ? { order_id: other, order_key: one } : undefined;
}

/** `order_id=12&order_key=…`. Text that ends in `=` is something else. */
function inQuery(text: string): Payload | undefined {
  const isQuery = /^[\w.[\]-]{1,100}=[^=&\s]+(?:&[\w.[\]-]{1,100}=[^=&\s]*)*$/.test(text);
  return isQuery ? Object.fromEntries(new URLSearchParams(text)) : undefined;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
