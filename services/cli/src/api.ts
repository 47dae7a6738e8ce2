import { type AnswerTo, type Call, type Client, createClient, type Routes } from '@order-automation/api-gateway/client';
import { CliError, type ExitCode, exitCodes, usageError } from './failure';
import type { Profile } from './profile';

export type Success<Name extends keyof Routes> = Extract<AnswerTo<Name>, { ok: true }>['body'];
export type RowOf<
  Name extends keyof Routes,
  List extends keyof Success<Name>,
> = Success<Name>[List] extends readonly (infer Row)[] ? Row : never;

const tryAgain = 'Try again in a moment.';
const unavailable = (message: string, next = tryAgain) => new CliError(exitCodes.unavailable, message, next);

/** The installation, by the routes of its interface. */
export type Api = ReturnType<typeof openApi>;

export function openApi({ url, user, password }: Profile) {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const send = async (address: string, init: RequestInit): Promise<Response> =>
    requireService(url, await fetch(address, { ...init, redirect: 'manual' }));
  const requests: Client = createClient({ base: url, headers: { authorization }, fetch: send });
  /** For commands that look at refusals; rejects when the service cannot be reached. */
  const client: Client = (name, ...call) => reach(url, () => requests(name, ...call));
  return {
    url,
    user,
    client,
    /** The body of a successful answer. Throws CliError with what the service said. */
    call: async <Name extends keyof Routes>(name: Name, ...call: Call<Name>): Promise<Success<Name>> => {
      const answer = await client(name, ...call);
      if (!answer.ok) throw refusal(answer.status, answer.body);
      return answer.body as never;
    },
    /** A request whose answer is a stream, or another type than JSON. */
    fetch: async (path: string, init: RequestInit = {}): Promise<Response> => {
      const headers = { ...(init.headers as Record<string, string>), authorization };
      const response = await reach(url, () => send(`${url}${path}`, { ...init, headers }));
      if (!response.ok) throw refusal(response.status, await response.json().catch(() => undefined));
      return response;
    },
  };
}

/** The answer, unless a proxy gave it. A redirect is not followed: `fetch` leaves the password out at another origin, and makes a GET of a POST. */
function requireService(url: string, response: Response): Response {
  const { status, headers } = response;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    throw usageError(
      `${url} sends on to ${new URL(location, url)}.`,
      'Use the address of the service itself, with its https and its BASE_PATH.',
    );
  if (status < 500 || headers.get('content-type')?.includes('json')) return response;
  throw unavailable(`${url} answered ${status}: the service behind it does not answer.`);
}

async function reach<Result>(url: string, request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof CliError) throw error;
    if ((error as Error).name === 'SyntaxError') {
      const hint = 'Is the address right, with its BASE_PATH?';
      throw unavailable(`${url} answered something else than this interface does.`, hint);
    }
    const { cause } = error as { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? (error as Error).message;
    const next = 'Is the service running? ORDERCTL_URL or orderctl login names it.';
    throw unavailable(`${url} cannot be reached (${reason}).`, next);
  }
}

/** What was thrown while an answer was read, or the file for it was opened. */
export function asCliError(error: unknown): unknown {
  const { cause, path, code } = error as NodeJS.ErrnoException & { readonly cause?: { readonly code?: string } };
  if (path !== undefined) return usageError(`${path} cannot be written (${code}).`);
  const isCut = cause?.code?.startsWith('UND_ERR');
  return isCut ? unavailable('The connection ended before the answer did: it is incomplete.') : error;
}

type Refusal = Partial<Extract<AnswerTo<'GET /v1/rules'>, { ok: false }>['body']>;

export function refusal(status: number, body: unknown): CliError {
  const { code = '', message = `The service answered ${status}.`, data } = (body ?? {}) as Refusal;
  const listed = (data?.violations ?? []) as { path: string; message: string }[];
  const violations = listed.map(({ path, message }) => `\n  ${path && `${path}: `}${message}`).join('');
  const named = code === '' ? '' : ` (${code})`;
  return new CliError(exitCodeOf(status), `${message}${violations}${named}`, nextStep(status));
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.refused;
  if (status === 404) return exitCodes.notFound;
  if (status === 400) return exitCodes.usage;
  return status >= 500 || status === 429 ? exitCodes.unavailable : exitCodes.no;
}

function nextStep(status: number): string | undefined {
  if (status === 401)
    return 'Use an application password (Settings, or POST /v1/auth/application-passwords): orderctl login URL --user NAME';
  return status === 429 || status === 503 ? tryAgain : undefined;
}
