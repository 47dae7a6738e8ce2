import { CliError, exitCodes } from './failure';

/** Without the members that are undefined. */
export function present<Values extends Record<string, unknown>>(values: Values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };
}

/** A whole number from 1; refuses anything else by name. */
export function wholeNumber(text: string, name: string): number {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text) || value < 1)
    throw new CliError(exitCodes.usage, `${name} must be a whole number from 1, not ${JSON.stringify(text)}.`);
  return value;
}

/** Hours of `--overlap`, from 0. */
export function overlapOf(text: string): number {
  const hours = Number(text);
  if (text.trim() === '' || !(hours >= 0))
    throw new CliError(exitCodes.usage, `--overlap must be a number of hours, not ${JSON.stringify(text)}.`);
  return hours;
}

export const limitOf = (text: string, max: number): number => Math.min(wholeNumber(text, '--limit'), max);

/** A day as the instant at which it begins, or ends; an instant as it is. For bodies, which take instants alone. */
export function instantOf(text: string, end: 'start' | 'end'): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  return `${text}T${end === 'start' ? '00:00:00.000' : '23:59:59.999'}Z`;
}
