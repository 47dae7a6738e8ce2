import { randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 24;

/** 24 random characters (143 bits), shown in groups of four. */
export function makeApplicationPassword(): string {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]);
  return characters.join('').replace(/(.{4})(?=.)/g, '$1 ');
}

/** The form that is hashed: white space is there for reading only. */
export function normaliseApplicationPassword(password: string): string {
  return password.replace(/\s+/g, '');
}
