import { isUtf8 } from 'node:buffer';
import { maxDepth } from './copy';
import { BusError } from './errors';

/** Where bytes were taken out of a value, and the bytes. Paths travel beside the JSON, so no content can be mistaken for one. */
type Attachment = { readonly path: readonly (string | number)[]; readonly bytes: Uint8Array };

/** A value as it travels: JSON with null in the place of every Uint8Array, and those bytes. */
type Packed = { readonly text: string; readonly attachments: readonly Attachment[] };

/** First byte of a frame with attachments. JSON can never begin with it. */
const frameMark = 0x01;
const frameHead = 5;

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

/** Throws BusError `invalid_message` when the value cannot travel (too deep, a cycle, a bigint). */
function pack(value: unknown): Packed {
  const attachments: Attachment[] = [];
  const plain = detach(value, [], attachments);
  let text: string | undefined;
  try {
    text = JSON.stringify(plain);
  } catch (cause) {
    throw new BusError('invalid_message', 'The message cannot be written as JSON.', { cause });
  }
  if (text === undefined) throw new BusError('invalid_message', 'The message cannot be written as JSON.');
  return { text, attachments };
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

/** The bytes of one value: plain JSON, or a frame (mark, length of the JSON as uint32 big endian, JSON, attachments) when it holds bytes. */
export function encode(value: unknown): Uint8Array {
  const { text, attachments } = pack(value);
  if (attachments.length === 0) return Buffer.from(text, 'utf8');
  const places = attachments.map(({ path, bytes }) => ({ path, length: bytes.length }));
  const json = Buffer.from(`{"value":${text},"bytes":${JSON.stringify(places)}}`, 'utf8');
  const head = Buffer.alloc(frameHead);
  head.writeUInt8(frameMark, 0);
  head.writeUInt32BE(json.length, 1);
  return Buffer.concat([head, json, ...attachments.map(({ bytes }) => bytes)]);
}

/** The value that `encode` was given. Throws BusError `invalid_message` for anything that `encode` would not write. */
export function decode(data: Uint8Array): unknown {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (bytes[0] !== frameMark) return decodeJson(bytes);
  if (bytes.length < frameHead) throw malformed('a frame cut short');
  const end = frameHead + bytes.readUInt32BE(1);
  if (end > bytes.length) throw malformed('a frame cut short');
  const framed = decodeJson(bytes.subarray(frameHead, end));
  if (!isFramed(framed)) throw malformed('a frame without its parts');
  let offset = end;
  const attachments = framed.bytes.map(({ path, length }) => {
    const from = offset;
    offset += length;
    return { path, from, to: offset };
  });
  if (offset !== bytes.length) throw malformed('a frame of the wrong length');
  let root = framed.value;
  for (const { path, from, to } of attachments) {
    const copy = new Uint8Array(bytes.subarray(from, to));
    if (path.length > 0) attach(root, path, copy);
    else if (root === null && attachments.length === 1) root = copy;
    else throw malformed('bytes without a place');
  }
  return root;
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

function decodeJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed('bytes that are not UTF-8');
  if (deeperThanAllowed(bytes)) throw malformed(`nesting deeper than ${maxDepth}`);
  return parseJson(bytes.toString('utf8'));
}

const quote = 0x22;
const backslash = 0x5c;

/** Nesting counted on the text, before anything recursive sees it. */
function deeperThanAllowed(bytes: Uint8Array): boolean {
  let depth = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index);
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      // Two more than a sender's limit: the frame's own object, and the leaf's container.
      if (depth > maxDepth + 2) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return false;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BusError('invalid_message', 'The message is not JSON.', { cause });
  }
}

function malformed(what: string): BusError {
  return new BusError('invalid_message', `The message has ${what}.`);
}
