import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@order-automation/contracts';

/** Deepest nesting of arrays and objects that is taken from outside (reliability.md). */
export const maxJsonDepth = 64;

/** After a body turned out too large, this much more is read and thrown away so that the sender gets to see the answer. */
const drained = 4 * 1024 * 1024;

/** 413 in the documented shape. */
export function bodyTooLarge(maxBytes: number): ServiceError {
  return new ServiceError(413, 'rest_body_too_large', `The body is larger than ${maxBytes} bytes.`, {
    max_bytes: maxBytes,
  });
}

/** The sender went away before the body was complete; nobody reads the answer. */
export function bodyAborted(): ServiceError {
  return new ServiceError(400, 'rest_body_incomplete', 'The body ended before it was complete.');
}

/**
 * The body as received, byte for byte. Rejects with a ServiceError: 413 `rest_body_too_large` past `maxBytes`,
 * 400 `rest_body_incomplete` when the sender went away.
 */
export function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () => reject(bodyTooLarge(maxBytes));
    if (Number(req.headers['content-length'] ?? 0) > maxBytes + drained) return tooLarge();
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > maxBytes + drained) tooLarge();
    });
    req.on('end', () => (size > maxBytes ? tooLarge() : resolve(oneBuffer(chunks, size))));
    req.on('error', () => reject(bodyAborted()));
    req.on('close', () => reject(bodyAborted()));
  });
}

function oneBuffer(chunks: Buffer[], size: number): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks, size);
}

/** Whether JSON text nests deeper than `limit`. Brackets within strings do not count; the text need not be valid. */
export function deeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === 0x5c) index += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return false;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** JSON from outside: UTF-8 without errors, at most 64 levels deep. Throws 400 `rest_invalid_json`. */
export function parseJson(bytes: Uint8Array): unknown {
  if (deeperThan(bytes, maxJsonDepth)) throw invalidJson(`The body nests deeper than ${maxJsonDepth} levels.`);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw invalidJson('The body is not valid JSON in UTF-8.');
  }
}

function invalidJson(message: string): ServiceError {
  return new ServiceError(400, 'rest_invalid_json', message);
}
