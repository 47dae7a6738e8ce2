import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Ids that a caller chooses. */
export const callerId = z.string().regex(/^[A-Za-z0-9._:-]{1,100}$/, 'must be at most 100 letters, digits and . _ : -');

/** An `Idempotency-Key` may be any text: what is no id is hashed to one. */
export function idOfKey(key: string): string {
  return callerId.safeParse(key).success ? key : createHash('sha256').update(key).digest('hex');
}
