/** Deepest nesting of arrays and objects that is taken from outside (decisions.md section 6, "Limits"). */
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
