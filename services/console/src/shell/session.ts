import { type AnswerTo, createClient, type Routes } from '@order-automation/api-gateway/client';
import { computed, signal } from '@preact/signals';
import { queryText, safeNext } from './match';
import { address, go, left, place } from './router';

export type Body<Name extends keyof Routes> = Extract<AnswerTo<Name>, { ok: true }>['body'];
export type User = Body<'GET /v1/auth/nonce'>['user'];
export type Capability = User['capabilities'][number];

/** Undefined until it is known who is signed in; null when nobody is. */
export const user = signal<User | null | undefined>(undefined);
/** `lost` while the service cannot be reached. */
export const connection = signal<'there' | 'lost' | 'back'>('there');
/** The session of the user on the screen has ended: requests wait until the user signs in again. */
export const ended = signal(false);
const waiting: (() => void)[] = [];
/** Grows when the service is back: what is on the screen is read again. */
export const revision = signal(0);

/** Whether the licence covers what the default edition lacks. */
export const isExtended = signal(false);
export const mayManage = computed(() => may('manage_shop'));

/** The debugger is part of the extended edition. */
export const mayTest = (): boolean => mayManage.value && isExtended.value;

export const may = (capability: Capability): boolean => user.value?.capabilities.includes(capability) ?? false;

/** Without this mark nobody is signed in for sure, and the service need not be asked. */
const mark = 'order-automation-signed-in';
const hour = 3_600_000;
const lookEvery = 1_500;

let nonce = { text: '', at: 0 };

const plain = createClient({ base: place.base, fetch: reached });
export const api = createClient({ base: place.base, fetch: withSession });

/** Finds out who is signed in, when the console is opened. */
export async function openSession(): Promise<void> {
  if (localStorage.getItem(mark) === null || !(await refresh())) user.value ??= null;
}

export async function signIn(username: string, password: string): Promise<AnswerTo<'POST /v1/auth/login'>> {
  const answer = await plain('POST /v1/auth/login', { body: { username, password } });
  if (answer.ok) begin(answer.body);
  return answer;
}

export async function signOut(): Promise<void> {
  if (!(await left())) return;
  await api('POST /v1/auth/logout');
  end();
  await go('/sign-in');
}

function begin(known: Body<'POST /v1/auth/login'>): void {
  nonce = { text: known.nonce, at: Date.now() };
  localStorage.setItem(mark, '1');
  const isOther = user.value && user.value.name !== known.user.name;
  user.value = known.user;
  isExtended.value = known.edition === 'extended';
  ended.value = false;
  for (const goOn of waiting.splice(0)) goOn();
  // What another user had on the screen is not theirs.
  if (isOther) location.reload();
}

function end(): void {
  localStorage.removeItem(mark);
  user.value = null;
}

/** Whether the session still holds; renews its nonce. */
async function refresh(): Promise<boolean> {
  const answer = await plain('GET /v1/auth/nonce');
  if (answer.ok) begin(answer.body);
  else if (answer.status === 401 && user.value) ended.value = true;
  else if (answer.status === 401) end();
  return answer.ok;
}

/** Sends with the nonce of the session; again when a user whose session has ended has signed in. */
export async function withSession(url: string, init: RequestInit = {}): Promise<Response> {
  const changes = init.method !== undefined && init.method !== 'GET';
  if (changes && Date.now() - nonce.at > 12 * hour) await refresh();
  const send = () =>
    reached(url, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...(changes && { 'x-host-nonce': nonce.text }) },
    });
  const response = await send();
  if (response.status !== 401) return response;
  if (!(await refresh())) {
    if (!ended.value) return response;
    await new Promise<void>((resolve) => waiting.push(resolve));
    return send();
  }
  const { message } = (await response.clone().json()) as { message?: string };
  return changes && message?.includes('nonce') ? send() : response;
}

/** Sends; when the service cannot be reached, says so and looks until it can. */
async function reached(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if ((error as Error).name !== 'AbortError') void awaitReturn();
    throw error;
  }
}

const isReached = async () => (await fetch(`${place.base}/v1/webhooks/health`).catch(() => undefined))?.ok === true;

/** Resolves as soon as the service answers. */
export async function whenReached(): Promise<void> {
  if (!(await isReached())) await awaitReturn();
}

let returning: Promise<void> | undefined;

/** Says that the service cannot be reached until it can; then what is on the screen is read again. */
function awaitReturn(): Promise<void> {
  const look = async () => {
    connection.value = 'lost';
    do await new Promise((resolve) => setTimeout(resolve, lookEvery));
    while (!(await isReached()));
    returning = undefined;
    connection.value = 'back';
    revision.value += 1;
    setTimeout(() => {
      if (connection.value === 'back') connection.value = 'there';
    }, 5_000);
  };
  returning ??= look();
  return returning;
}

/** Where to come back to after signing in. */
export function nextAddress(): string {
  const { path, query } = address.value;
  return safeNext(path + queryText(query));
}
