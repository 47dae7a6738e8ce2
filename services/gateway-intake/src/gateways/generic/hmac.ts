import { createHmac } from 'node:crypto';
import type { RawInput } from '../adapter';
import type { Connection } from '../connection';
import { parseForm } from '../form';
import type { Payload } from '../payload';
import { authenticityRefusal, type Refusal } from '../refusal';
import { equalBytes, oneHeader, type Signature } from '../signature';
import { valueAt } from './fields';

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const;
/** Signatures of one header that are looked at: senders write one for each of their secrets. */
const maxDigests = 16;

const malformed = (text: string): Refusal => authenticityRefusal('signature_malformed', text);

/** Reads the HMAC of a connection from its header or its body, with the time and the id that are signed beside it. */
export function hmacSignature(input: RawInput, connection: Connection): Signature | Refusal {
  const { hmac_header: header, signature_path: path, signature_part: part, id_header } = connection;
  const value = path === undefined ? oneHeader(listed(input, connection), [header]) : textAt(input.payload, path);
  if (typeof value === 'object') return value;
  const place = path === undefined ? `${header} header` : `signature at ${path}`;
  const digests = partsOf(value, part).map((text) => digestIn(text, connection));
  const found = digests.filter((digest) => digest !== undefined);
  if (found.length === 0 || digests.length > maxDigests)
    return malformed(`The ${place} is not ${expectedForm(connection)}.`);
  const time = timeOf(input, connection, value);
  if (time !== undefined && typeof time !== 'string') return time;
  const id = id_header === undefined ? '' : oneHeader(input, [id_header.toLowerCase()]);
  if (typeof id === 'object') return id;
  const unit = connection.timestamp_unit === 'milliseconds' ? 1000 : 1;
  return {
    ...(time !== undefined && { timestamp: Math.floor(Number(time) / unit) }),
    fits: (secret, body) => {
      const wanted = digestOf(connection, secret, { body, id, time: time ?? '', payload: input.payload });
      return found.some((digest) => equalBytes(digest, wanted));
    },
  };
}

/** A list of signatures may come as several headers of one name, as Mollie's does while a secret is changed. */
function listed({ headers }: RawInput, { hmac_header: header, signature_part }: Connection): Pick<RawInput, 'headers'> {
  const values = headers[header];
  return { headers: signature_part === undefined || !values ? headers : { [header]: [values.join(',')] } };
}

/** The headers by which a sender with this secret proves a body; undefined where the signature stands in the body. */
export function hmacHeaders(
  connection: Connection,
  secret: string,
  { body, id, now }: { readonly body: Buffer; readonly id: string; readonly now: number },
): Record<string, string[]> | undefined {
  const { hmac_header: header, encoding, prefix, signature_path, timestamp_unit } = connection;
  if (signature_path !== undefined) return undefined;
  const { timestamp_header, timestamp_part, id_header, signature_part } = connection;
  const time = String(timestamp_unit === 'milliseconds' ? now : Math.floor(now / 1000));
  const digest = digestOf(connection, secret, { body, id, time, payload: undefined });
  const value = `${prefix}${written(digest, encoding)}`;
  const timed = timestamp_part === undefined ? '' : `${timestamp_part}=${time},`;
  return {
    [header]: [signature_part === undefined ? value : `${timed}${signature_part}=${value}`],
    ...(timestamp_header !== undefined && { [timestamp_header.toLowerCase()]: [time] }),
    ...(id_header !== undefined && { [id_header.toLowerCase()]: [id] }),
  };
}

/** Whether the whole body is signed: of another one only the places are trusted that the connection's paths name. */
export const signsBody = ({ signed }: Partial<Pick<Connection, 'signed'>>): boolean =>
  signed === undefined || /\{(?:body|form)\}/.test(signed);

type Content = {
  readonly body: Buffer;
  readonly id: string;
  readonly time: string;
  readonly payload: Payload | undefined;
};

function digestOf(connection: Connection, secret: string, { body, id, time, payload }: Content): Buffer {
  const { algorithm = 'sha256', signed = '{body}', signed_url: url = '', secret_encoding = 'text' } = connection;
  const key = Buffer.from(secret, secret_encoding === 'text' ? 'utf8' : secret_encoding);
  const hmac = createHmac(algorithm, key);
  const form = signed.includes('{form}') ? sortedFields(body) : '';
  const values = new Map<string, string | Buffer>(Object.entries({ body, form, timestamp: time, id, url }));
  for (const [index, piece] of signed.split(/[{}]/).entries()) {
    const known = index % 2 === 0 ? piece : values.get(piece);
    const text = known ?? textAt(payload, piece);
    hmac.update(typeof text === 'string' || Buffer.isBuffer(text) ? text : '');
  }
  return hmac.digest();
}

/** Names and values of a form, by name, as Twilio signs them; what is none that can be read, as it came. */
const sortedFields = (body: Buffer): string =>
  Object.entries(parseForm(body).payload ?? { [body.toString('latin1')]: '' })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flat()
    .join('');

/** As it is written: what is signed is not trimmed. */
function textAt(payload: Payload | undefined, pointer: string): string | Refusal {
  const value = payload === undefined ? undefined : valueAt(payload, pointer);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return authenticityRefusal('signature_missing', `The body has no text at ${pointer}.`);
}

/** The values of `t=…,v1=…` or `ts=…;h1=…` under a name, or of a list without names. */
function partsOf(value: string, name?: string): string[] {
  const parts = value.split(/[,;]/).map((one) => one.trim());
  if (name === undefined) return parts;
  return parts.filter((one) => one.startsWith(`${name}=`)).map((one) => one.slice(name.length + 1));
}

function digestIn(text: string, { encoding, prefix, algorithm = 'sha256' }: Connection): Buffer | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const digest = text.slice(prefix.length);
  const bytes = Buffer.from(digest, encoding === 'base64' ? 'base64' : 'hex');
  const isWhole = bytes.length === digestBytes[algorithm];
  return isWhole && written(bytes, encoding) === digest ? bytes : undefined;
}

function written(digest: Buffer, encoding: Connection['encoding']): string {
  if (encoding === 'base64') return digest.toString('base64');
  return encoding === 'hex' ? digest.toString('hex') : digest.toString('hex').toUpperCase();
}

function expectedForm({ encoding, prefix, algorithm = 'sha256', signature_part }: Connection): string {
  const bytes = digestBytes[algorithm];
  const hex = `${bytes * 2} ${encoding === 'hex' ? 'lower' : 'upper'}-case hexadecimal digits`;
  const name = encoding === 'base64' ? `${Math.ceil(bytes / 3) * 4} characters of base64` : hex;
  const whole = prefix === '' ? name : `"${prefix}" and ${name}`;
  return signature_part === undefined ? whole : `a list with ${signature_part}= and ${whole}`;
}

/** The signed time as the sender wrote it; undefined where the connection says nothing of one. */
function timeOf(input: RawInput, connection: Connection, value: string): string | Refusal | undefined {
  const { hmac_header: header, timestamp_header, timestamp_part } = connection;
  if (timestamp_header === undefined && timestamp_part === undefined) return undefined;
  const time =
    timestamp_header === undefined
      ? (partsOf(value, timestamp_part ?? '')[0] ?? '')
      : oneHeader(input, [timestamp_header.toLowerCase()]);
  if (typeof time === 'object') return time;
  return /^[1-9]\d{0,14}$/.test(time)
    ? time
    : malformed(`The time of the signature in the ${timestamp_header ?? header} header is not a number.`);
}
