import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { z } from 'zod';

const shortest = 8;
const longest = 200;

export const passwordSchema = z
  .string()
  .min(shortest, `must have at least ${shortest} characters`)
  .max(longest, `must have at most ${longest} characters`);

/** argon2id (the library's default), 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A password of 20 random characters, for an administrator who gave none. */
export const randomPassword = (): string => randomBytes(15).toString('base64url');

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'), cost);

/** A check that takes the same time when there is nothing to compare with: an unknown user looks like a known one. */
export async function passwordCheck() {
  const decoy = await hashPassword(randomPassword());
  return async (password: string, stored: string | undefined): Promise<boolean> => {
    const holds = await verify(stored ?? decoy, password.normalize('NFC'));
    return stored !== undefined && holds;
  };
}
