import type { ErrorBody } from '@order-automation/contracts';
import type { z } from 'zod';
import type { Answers } from './http/route';
import type { table } from './routes';

/** Calls this interface with the types of its rows: nothing is generated, and nothing of the server is loaded. */

/** Every route by its name, such as `GET /v1/rules`. */
export type Routes = { [R in (typeof table)[number] as `${R['method']} ${R['path']}`]: R };

type Text = string | number | boolean;
/** Parameters travel as text: whatever can be written as one may be passed. */
type Parameters<Schema> = Schema extends z.ZodType ? { [Name in keyof z.input<Schema>]: Text } : never;
type Required<Name extends string, Value> =
  Record<never, never> extends Value ? { [K in Name]?: Value } : { [K in Name]: Value };
type BodyInput<Schema> = Schema extends z.ZodUndefined
  ? { body?: never }
  : Schema extends z.ZodType
    ? { body: z.input<Schema> }
    : never;

export type CallOf<Name extends keyof Routes> = Required<'params', Parameters<NonNullable<Routes[Name]['params']>>> &
  Required<'query', Parameters<NonNullable<Routes[Name]['query']>>> &
  BodyInput<NonNullable<Routes[Name]['body']>> & { readonly headers?: Readonly<Record<string, string>> };

type Success<A extends Answers> = {
  [Status in keyof A & (200 | 201)]: {
    readonly ok: true;
    readonly status: Status;
    readonly body: z.output<A[Status]>;
    readonly requestId: string;
  };
}[keyof A & (200 | 201)];

export type AnswerTo<Name extends keyof Routes> =
  | Success<Routes[Name]['answers']>
  | { readonly ok: false; readonly status: number; readonly body: ErrorBody; readonly requestId: string };

/** What a route is called with; it may be left out where nothing of it is required. */
export type Call<Name extends keyof Routes> =
  Record<never, never> extends CallOf<Name> ? [CallOf<Name>?] : [CallOf<Name>];

export type Client = <Name extends keyof Routes>(name: Name, ...call: Call<Name>) => Promise<AnswerTo<Name>>;

export type ClientOptions = {
  /** Address of the service with BASE_PATH, without a slash at the end. */
  readonly base: string;
  /** Sent with every request: `Authorization`, or `X-Host-Nonce` beside the cookie of a session. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends each request; default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

export type AnyCall = {
  readonly params?: Readonly<Record<string, Text>>;
  readonly query?: Readonly<Record<string, Text>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The path with its parameters filled in, and the query behind it. */
export function addressOf(path: string, params: AnyCall['params'] = {}, query: AnyCall['query'] = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => encodeURIComponent(params[name] ?? whole));
  const search = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return search.length === 0 ? filled : `${filled}?${new URLSearchParams(search)}`;
}

/** For routes that answer JSON. Rejects when the service cannot be reached. */
export function createClient({ base, headers = {}, fetch: sendRequest = fetch }: ClientOptions): Client {
  const send = async (name: string, { params, query, body, ...call }: AnyCall = {}) => {
    const [method = '', path = ''] = name.split(' ');
    const response = await sendRequest(base + addressOf(path, params, query), {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers, ...call.headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const requestId = response.headers.get('x-request-id') ?? '';
    return { ok: response.ok, status: response.status, body: await response.json(), requestId };
  };
  return send as Client;
}
