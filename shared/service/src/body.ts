import { ServiceError } from '@order-automation/contracts';

/** Deepest nesting of arrays and objects that is taken from outside (reliability.md). */
export const maxJsonDepth = 64;

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
