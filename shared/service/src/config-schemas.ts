import { z } from 'zod';

/** Schemas for the text of a variable. Each takes undefined only when it has a default or is optional. */

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** A TCP port; 0 means any free one. */
export const portNumber = wholeNumber(0, 65_535);

/** `true` or `false`, also yes/no, on/off, 1/0. */
export const flag: z.ZodType<boolean, string> = z.stringbool({ error: 'must be true or false' });

/** Words separated by white space, at least one. */
export const words: z.ZodType<readonly string[], string> = z.string().transform((text) => text.split(/\s+/));

/** An absolute URL of one of these schemes, given without the colon. */
export function urlOf(...schemes: readonly string[]): z.ZodType<string, string> {
  const message = `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return z.string().refine((text) => {
    const scheme = /^([a-z][a-z0-9+]*):\/\/[^\s]+$/i.exec(text)?.[1]?.toLowerCase();
    return scheme !== undefined && schemes.includes(scheme);
  }, message);
}

/** 32 bytes in base64, one or several separated by white space, newest first. */
export const base64Keys: z.ZodType<readonly Buffer[], string> = words.transform((parts, context) => {
  const keys = parts.map((part) => Buffer.from(part, 'base64'));
  const good = parts.every((part, index) => /^[A-Za-z0-9+/]{43}=$/.test(part) && keys[index]?.length === 32);
  if (!good) context.addIssue({ code: 'custom', message: 'each key must be 32 bytes in base64 (44 characters)' });
  return keys;
});
