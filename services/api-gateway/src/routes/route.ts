import type { Access } from '../auth/authorise';
import type { Client } from '../auth/client';
import type { Identity } from '../auth/identity';

/** A request that may be answered: parsed as far as HTTP goes. Everything in it is from outside. */
export type Call = {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: unknown;
  /** Parsed JSON; undefined when there was no body. */
  readonly body: unknown;
  header(name: string): string | undefined;
  readonly client: Client;
  /** Milliseconds since the request began, for `execution_time`. */
  elapsed(): number;
};

export type KnownCall = Call & { readonly identity: Identity };

export type Answer = {
  /** Default 200. */
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

type Common = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below BASE_PATH, with `:name` for parameters. */
  readonly path: string;
  /** Bytes of the largest body; default 1 MiB. */
  readonly maxBody?: number;
};

/** One method of one path: who may, and what is done. A resource is a list of these. */
export type Route = Common &
  (
    | { readonly open: true; readonly handle: (call: Call) => Promise<Answer> }
    | { readonly open?: never; readonly access: Access; readonly handle: (call: KnownCall) => Promise<Answer> }
  );
