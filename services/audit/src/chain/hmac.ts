import { createHmac, hash } from 'node:crypto';

/** Bytes that SHA-256 takes at a time. */
const block = 64;
/** Bytes of the longest text that is digested without an object of its own. */
const longest = 64 * 1024;

/** HMAC-SHA-256 (RFC 2104) of a text under one key, as base64url. */
export type Hmac = (text: string) => string;

/**
 * Two one-shot hashes over buffers that are used again. A record of the log has a digest, so they are frequent: `createHmac` makes an object
 * outside the heap for each, which costs twice as much, mostly later, when it is collected.
 */
export function hmacSha256(key: Buffer): Hmac {
  if (key.length > block) throw new Error('a longer key has to be hashed first');
  const padded = Buffer.alloc(block);
  key.copy(padded);
  const inner = Buffer.allocUnsafeSlow(block + longest);
  const outer = Buffer.allocUnsafeSlow(block + 32);
  for (const [at, byte] of padded.entries()) {
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return (text) => {
    if (text.length * 3 > longest) return createHmac('sha256', key).update(text).digest('base64url');
    const length = inner.write(text, block, 'utf8');
    outer.write(hash('sha256', inner.subarray(0, block + length), 'binary'), block, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}
