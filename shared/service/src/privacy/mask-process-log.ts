import { retryOf } from '@order-automation/base';
import { redacted } from '../process/secret';
import { maskNumber } from './card-numbers';
import { redactText } from './mask-text';
import { isSensitiveName } from './masked';

const maxDepth = 8;
const maxItems = 100;

/** A copy fit to log, at any depth: sensitive names blanked, errors flattened, bytes counted, depth and length bounded. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return maskNumber(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return redactArray(value, depth);
  if (value instanceof Map || value instanceof Set) return `[${value.size} items]`;
  if (hasJson(value)) return redactRead(() => value.toJSON(), depth);
  return redactEntries(value, depth);
}

function redactArray(items: readonly unknown[], depth: number): unknown[] {
  const copy = items.slice(0, maxItems).map((item) => redact(item, depth + 1));
  if (items.length > maxItems) copy.push(`[${items.length - maxItems} more]`);
  return copy;
}

const hasJson = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

/** What reading it gives, which may throw. */
function redactRead(read: () => unknown, depth: number): unknown {
  try {
    return redact(read(), depth + 1);
  } catch {
    return '[unreadable]';
  }
}

function redactEntries(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).slice(0, maxItems)) {
    copy[name === '__proto__' ? '[__proto__]' : redactText(name)] = isSensitiveName(name)
      ? redacted
      : redactRead(() => (value as Record<string, unknown>)[name], depth);
  }
  return copy;
}

/** Of what is retried later, an outage of what we need, each line has what was said alone: the same stacks would be most of the log. */
function redactError(error: Error, depth: number): Record<string, unknown> {
  const said = { type: error.name, message: redactText(String(error.message)) };
  if (retryOf(error) === 'later') {
    const causes: string[] = [];
    for (let { cause } = error; cause instanceof Error && causes.length < maxDepth; cause = cause.cause)
      causes.push(redactText(String(cause)));
    return { ...said, causes };
  }
  const flat: Record<string, unknown> = {
    ...said,
    stack: redactText(String(error.stack ?? '')),
    ...redactEntries(error, depth),
  };
  if (error.cause !== undefined) flat.cause = redact(error.cause, depth + 1);
  if (error instanceof AggregateError) flat.errors = redactArray(error.errors, depth);
  return flat;
}
