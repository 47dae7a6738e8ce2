import { randomFillSync } from 'node:crypto';

const saltBytes = 16;
/** Random bytes are asked for many at a time: a call for each entry costs 2 µs, which is as much as its digests. */
const pool = Buffer.alloc(256 * saltBytes);
let used = pool.length;

/** 16 random bytes in base64url: what a digest covers beside the data, so that it says nothing once both are erased. */
export function newSalt(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += saltBytes;
  return pool.toString('base64url', used - saltBytes, used);
}
