import { isUtf8 } from 'node:buffer';
import { maxDepth } from './copy';
import { BusError } from './errors';
import { malformed, pack, unpack } from './packed';

/** First byte of a frame with attachments. JSON can never begin with it. */
const frameMark = 0x01;
const frameHead = 5;

/** The bytes of one value: plain JSON, or a frame (mark, length of the JSON as uint32 big endian, JSON, attachments) when it holds bytes. */
export function encode(value: unknown): Uint8Array {
  const { text, bytes } = pack(value);
  const json = Buffer.from(text, 'utf8');
  if (bytes.length === 0) return json;
  const head = Buffer.alloc(frameHead);
  head.writeUInt8(frameMark, 0);
  head.writeUInt32BE(json.length, 1);
  return Buffer.concat([head, json, ...bytes]);
}

/** The value that `encode` was given. Throws BusError `invalid_message` for anything that `encode` would not write. */
export function decode(data: Uint8Array): unknown {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (bytes[0] !== frameMark) return decodeJson(bytes);
  if (bytes.length < frameHead) throw malformed('a frame cut short');
  const end = frameHead + bytes.readUInt32BE(1);
  if (end > bytes.length) throw malformed('a frame cut short');
  const framed = decodeJson(bytes.subarray(frameHead, end));
  return unpack(framed, bytes.length - end, (from, to) => new Uint8Array(bytes.subarray(end + from, end + to)));
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
