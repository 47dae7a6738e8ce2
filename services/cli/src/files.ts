import { readFileSync } from 'node:fs';
import { CliError, exitCodes } from './failure';

export const unreadable = (file: string, { code, message }: NodeJS.ErrnoException): CliError =>
  new CliError(exitCodes.usage, `${file} cannot be read (${code ?? message}).`);

/** Throws CliError with the reason. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error as NodeJS.ErrnoException);
  }
}

/** Throws CliError where the file cannot be read, and where it is no JSON. */
export function readJson(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(exitCodes.usage, `${file} is not JSON.`);
  }
}
