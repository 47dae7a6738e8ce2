import { z } from 'zod';
import type { Access } from '../auth/authorise';
import type { Identity } from '../auth/identity';
import type { tags } from '../openapi/texts.json';
import type { Call } from './call';
import type { Edge } from './edge';
import type { ErrorCode } from './error-codes';
import texts from './route-texts.json';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Tag = keyof typeof tags;

export type Headers = Readonly<Record<string, string>>;
/** Schemas of the bodies of successful answers, by HTTP status. */
export type Answers = Readonly<Record<number, z.ZodType>>;

type AnswerWith<Status, Body> = (Status extends 200 ? { readonly status?: 200 } : { readonly status: Status }) & {
  readonly body: Body;
  readonly headers?: Headers;
};
/** What a handler may answer: a body that fits the schema of its status. 200 is the default. */
export type AnswerOf<A extends Answers> = { [S in keyof A & number]: AnswerWith<S, z.output<A[S]>> }[keyof A & number];

/** What was read: an optional field that did not come is absent, never undefined, as in the contracts. */
export type Exact<T> = T extends readonly (infer Item)[]
  ? Exact<Item>[]
  : T extends object
    ? { [K in keyof T]: Exact<Exclude<T[K], undefined>> }
    : T;

export type RouteSpec<
  Allowed extends 'open' | Access,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  A extends Answers,
> = {
  /** Values of the last parameter that are paths of other routes. */
  readonly except?: ReadonlySet<string>;
  /** In `route-texts.json` unless several routes have it, or it is made. */
  readonly description?: string;
  readonly tag: Tag;
  readonly access: Allowed;
  readonly params?: Params;
  readonly query?: Query;
  /** The JSON body. Strict: an unknown field is refused with the name of the nearest known one. */
  readonly body?: Body;
  readonly yaml?: true;
  /** Bytes that the handler reads itself (`call.bytes()`): imports, which need not fit into memory. */
  readonly rawBody?: { readonly types: readonly string[]; readonly maxBytes: number };
  /** Bytes of the largest JSON or YAML body; default 1 MiB. */
  readonly maxBody?: number;
  readonly answers: A;
  /** Refusals of its own; those that follow from access, parameters and body are added. */
  readonly errors?: readonly ErrorCode[];
  /** Default `json`. A `stream` answers an async iterable, `html` a text. */
  readonly kind?: 'json' | 'stream' | 'html';
  /** What a stream of JSON is as a whole. */
  readonly document?: z.ZodType;
  /** Media types that a stream answers with; the first is the default. */
  readonly produces?: readonly string[];
  /** Milliseconds until the answer begins; then 503. Default `defaultTimeout`. */
  readonly timeout?: number;
  /**
   * Answers carry `ETag`, and `If-None-Match` of the version that is there is answered 304. `version`: the answer also has what no version tells, such as
   * counts; the tag is for `If-Match` alone.
   */
  readonly etag?: true | 'version';
  /** `If-Match` refuses to change another version than the one that it names. */
  readonly ifMatch?: true;
  /** A request that succeeds on the demonstration shop: documentation, access matrix and fuzzing start from it. It stands where the description does. */
  readonly example?: {
    readonly params?: Readonly<Record<string, string | number>>;
    readonly query?: Readonly<Record<string, string | number | boolean>>;
    readonly body?: unknown;
  };
  handle(
    call: Call<
      z.output<Params>,
      Exact<z.output<Query>>,
      Exact<z.output<Body>>,
      Allowed extends 'open' ? undefined : Identity
    >,
    edge: Edge,
  ): Promise<AnswerOf<A>>;
};

export type Answer = { readonly status?: number; readonly body: unknown; readonly headers?: Headers };

type Named<M extends Method, Path extends string> = {
  readonly method: M;
  readonly path: Path;
  readonly summary: string;
};
type AnyRoute = RouteSpec<'open' | Access, z.ZodType, z.ZodType, z.ZodType, Answers>;
export type Route = Named<Method, string> &
  Omit<AnyRoute, 'handle'> & { handle(call: Call, edge: Edge): Promise<Answer> };

const textsOf: Readonly<Record<string, Pick<Route, 'description' | 'example'>>> = texts;

/** An answer with a status other than 200. */
export function reply<const Status extends number, Body>(status: Status, body: Body, headers: Headers = {}) {
  return { status, body, headers };
}

/**
 * One method of one path below BASE_PATH, with `{name}` for parameters, and a few words in the imperative: "List rules". Everything about the route
 * follows from this row: mounting, access, validation, documentation, metrics label, the types of the client, the access matrix.
 */
export function route<
  const M extends Method,
  const Path extends string,
  const Allowed extends 'open' | Access,
  const A extends Answers,
  Params extends z.ZodType = z.ZodObject<Record<never, never>>,
  Query extends z.ZodType = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
>(
  name: `${M} ${Path}`,
  summary: string,
  row: RouteSpec<Allowed, Params, Query, Body, A>,
): Named<M, Path> & RouteSpec<Allowed, Params, Query, Body, A> {
  const [method, path] = name.split(' ') as [M, Path];
  return { method, path, summary, ...row, ...textsOf[name] };
}

/** Of a row that answers a stream of one of these media types: of the first, unless it says so. */
export const streamOf = (...produces: readonly [string, ...string[]]) =>
  ({ kind: 'stream', produces, answers: { 200: z.custom<AsyncIterable<string>>() } }) as const;

export const seconds = (count: number): number => count * 1_000;
/** No caller waits longer than 3 s for the news that a part is unavailable. */
export const defaultTimeout = seconds(2.8);

/** A name for the route that holds in addresses and code: `get-v1-rules-id`. */
export function operationIdOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return [method.toLowerCase(), ...path.split(/[^A-Za-z0-9]+/).filter(Boolean)].join('-');
}

/** Whether callers may prove themselves by a token there: on the routes of the extended edition (section 5 of the specification). */
export const takesTokens = ({ path, access }: Pick<Route, 'path' | 'access'>): boolean =>
  path.startsWith('/pro/') || (access !== 'open' && access.extended !== undefined);
