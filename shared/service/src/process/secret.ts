import { inspect } from 'node:util';

/** A value that prints as `[redacted]` however it is logged, interpolated, inspected or serialised. */
export type Secret<T = string> = { reveal(): T; toString(): string; toJSON(): string };

export const redacted = '[redacted]';

/** Wraps a value so that only `reveal()` gives it away. */
export function secret<T>(value: T): Secret<T> {
  const hidden = () => redacted;
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden, [inspect.custom]: hidden });
}
