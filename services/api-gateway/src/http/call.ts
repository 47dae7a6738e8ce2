import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import type { Client } from '../auth/client-address';
import type { Identity } from '../auth/identity';

/** Asks another service; its refusals reach the caller unchanged. */
export type Ask = <T extends RequestType>(type: T, input: RequestInput<T>) => Promise<RequestOutput<T>>;

export type AskWithin = <T extends RequestType>(
  type: T,
  input: RequestInput<T>,
  timeout: number,
) => Promise<RequestOutput<T>>;

/** A request that may be answered: authenticated, allowed and validated. */
export type Call<Params = unknown, Query = unknown, Body = unknown, Who = Identity | undefined> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Undefined on open routes. */
  readonly identity: Who;
  /** The bytes of the body as they arrive, for routes with `rawBody`. */
  bytes(): AsyncIterable<Buffer>;
  /** Charges memory to what all bodies together may hold, waiting for room; the caller calls it off. */
  hold(bytes: number): Promise<() => void>;
  header(name: string): string | undefined;
  readonly client: Client;
  /** Milliseconds since the request began, with two decimals, for `execution_time`. */
  elapsed(): number;
  /** Asks another service within what is left of the route's timeout; its refusals reach the caller unchanged. */
  readonly ask: Ask;
  /** The answer of a route that has nothing to add: what the other service says. */
  answer<T extends RequestType>(type: T, input: RequestInput<T>): Promise<{ readonly body: RequestOutput<T> }>;
  /** Aborts when the client has gone, or the answer is complete. */
  readonly signal: AbortSignal;
};

/** A call of a route that wants to know its caller. */
export type KnownCall = Call<unknown, unknown, unknown, Identity>;
