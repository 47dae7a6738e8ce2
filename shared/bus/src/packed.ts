import { maxDepth } from './copy';
import { BusError } from './errors';

/** Where bytes were taken out of a value, and the bytes. Paths travel beside the JSON, so no content can be mistaken for one. */
type Attachment = { readonly path: readonly (string | number)[]; readonly bytes: Uint8Array };

/**
 * A value as it travels. Without bytes: its JSON. With some: JSON of the value with null in the place of each Uint8Array, and of the
 * places; and those bytes, in that order.
 */
export type Packed = { readonly text: string; readonly bytes: readonly Uint8Array[] };

type Framed = { readonly value: unknown; readonly bytes: readonly { path: (string | number)[]; length: number }[] };

/** The value without its bytes; copies only what holds some. */
function detach(value: unknown, path: (string | number)[], found: Attachment[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) {
    if (path.includes('__proto__'))
      throw new BusError('invalid_message', 'Bytes cannot travel in a field "__proto__".');
    found.push({ path: [...path], bytes: value });
    return null;
  }
  if (path.length >= maxDepth) throw new BusError('invalid_message', `The message is nested deeper than ${maxDepth}.`);
  return Array.isArray(value) ? detachItems(value, path, found) : detachFields(value as Fields, path, found);
}

type Fields = Record<string, unknown>;

function detachItems(items: readonly unknown[], path: (string | number)[], found: Attachment[]): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (typeof item !== 'object' || item === null) continue;
    path.push(index);
    const kept = detach(item, path, found);
    path.pop();
    if (kept !== item) {
      copy ??= [...items];
      copy[index] = kept;
    }
  }
  return copy ?? items;
}

function detachFields(fields: Fields, path: (string | number)[], found: Attachment[]): unknown {
  let copy: Fields | undefined;
  for (const key of Object.keys(fields)) {
    const field = fields[key];
    if (typeof field !== 'object' || field === null) continue;
    path.push(key);
    const kept = detach(field, path, found);
    path.pop();
    if (kept !== field) {
      copy ??= { ...fields };
      copy[key] = kept;
    }
  }
  return copy ?? fields;
}

/** `value` for its way. Throws BusError `invalid_message` when it cannot travel (too deep, a cycle, a bigint). */
export function pack(value: unknown): Packed {
  const attachments: Attachment[] = [];
  const plain = detach(value, [], attachments);
  let text: string | undefined;
  try {
    text = JSON.stringify(plain);
  } catch (cause) {
    throw new BusError('invalid_message', 'The message cannot be written as JSON.', { cause });
  }
  if (text === undefined) throw new BusError('invalid_message', 'The message cannot be written as JSON.');
  if (attachments.length === 0) return { text, bytes: [] };
  const places = attachments.map(({ path, bytes }) => ({ path, length: bytes.length }));
  return { text: `{"value":${text},"bytes":${JSON.stringify(places)}}`, bytes: attachments.map(({ bytes }) => bytes) };
}

/**
 * The value of a text with places, and of the bytes that belong there, one after the other; `take` gives a piece of them. Throws BusError
 * `invalid_message` for anything that `pack` would not make.
 */
export function unpack(framed: unknown, length: number, take: (from: number, to: number) => Uint8Array): unknown {
  if (!isFramed(framed)) throw malformed('a frame without its parts');
  let root = framed.value;
  let offset = 0;
  for (const place of framed.bytes) offset += place.length;
  if (offset !== length) throw malformed('a frame of the wrong length');
  offset = 0;
  for (const place of framed.bytes) {
    const bytes = take(offset, offset + place.length);
    offset += place.length;
    if (place.path.length > 0) attach(root, place.path, bytes);
    else if (root === null && framed.bytes.length === 1) root = bytes;
    else throw malformed('bytes without a place');
  }
  return root;
}

function attach(root: unknown, path: readonly (string | number)[], bytes: Uint8Array): void {
  let parent: unknown = root;
  for (const step of path.slice(0, -1)) parent = own(parent, step);
  const last = path.at(-1);
  if (last === undefined || own(parent, last) !== null) throw malformed('bytes without a place');
  (parent as Record<string | number, unknown>)[last] = bytes;
}

function own(parent: unknown, step: string | number): unknown {
  if (typeof parent !== 'object' || parent === null || step === '__proto__' || !Object.hasOwn(parent, step)) {
    throw malformed('bytes without a place');
  }
  return (parent as Record<string | number, unknown>)[step];
}

function isFramed(value: unknown): value is Framed {
  const places = (value as { bytes?: unknown } | null)?.bytes;
  return (
    Array.isArray(places) &&
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'value') &&
    places.every(
      (place) =>
        Number.isSafeInteger(place?.length) &&
        place.length >= 0 &&
        Array.isArray(place.path) &&
        place.path.every((step: unknown) => typeof step === 'string' || Number.isSafeInteger(step)),
    )
  );
}

export function malformed(what: string): BusError {
  return new BusError('invalid_message', `The message has ${what}.`);
}
