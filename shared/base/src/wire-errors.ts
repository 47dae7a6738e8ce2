import { retryOf } from './errors';

/** An error on its way to another process or thread. `kind` names its class; what an error of no known class keeps is what callers decide by. */
export type WireError = { readonly kind: string; readonly [field: string]: unknown };

/** How the errors of one class travel. Without `write` and `read` all fields cross, which must be plain values. */
export type ErrorKind = {
  readonly kind: string;
  readonly of: abstract new (...args: never[]) => Error;
  readonly write?: (error: never) => object;
  /** Undefined for what is none. */
  readonly read?: (fields: Readonly<Record<string, unknown>>) => Error | undefined;
};

export type WireErrors = ReturnType<typeof wireErrors>;

/** The form of errors between two sides that both know these classes. */
export function wireErrors(kinds: readonly ErrorKind[]) {
  return {
    write: (error: unknown): WireError => {
      if (!(error instanceof Error)) return { kind: 'other', name: 'Error', message: String(error) };
      const { name, message } = error;
      const known = kinds.find(({ of }) => error instanceof of);
      if (known) return { kind: known.kind, ...(known.write?.(error as never) ?? { ...error, message }) };
      const { code } = error as { code?: unknown };
      const plain = typeof code === 'string' || typeof code === 'number' ? { code } : {};
      return { kind: 'other', name, message, ...plain, retry: retryOf(error) };
    },
    /** Undefined for what is no error. */
    read: (wire: unknown): Error | undefined => {
      const { kind, ...fields } = (wire ?? {}) as Partial<WireError>;
      const known = kinds.find((each) => each.kind === kind);
      if (known?.read) return known.read(fields);
      if (known === undefined && kind !== 'other') return undefined;
      const error = Object.assign(new Error(String(fields.message)), { name: known?.of.name }, fields);
      return known ? Object.setPrototypeOf(error, known.of.prototype) : error;
    },
  };
}
