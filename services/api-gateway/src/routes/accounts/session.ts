import { randomBytes } from 'node:crypto';
import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import { identityOf } from '../../auth/authenticate';
import { unauthenticated } from '../../auth/authorise';
import { sessionCookieHeader } from '../../auth/credentials';
import { capabilitiesOf, type Identity, roleSchema } from '../../auth/identity';
import type { UserDocument } from '../../collections/users';
import type { Call } from '../../http/call';
import type { Edge } from '../../http/edge';
import { route } from '../../http/route';

/** Milliseconds that a login lasts. */
const sessionLifetime = 7 * 24 * 60 * 60 * 1000;

const loginBody = z.strictObject({ username: z.string().min(1).max(200), password: z.string().min(1).max(1000) });
type Login = z.infer<typeof loginBody>;

const described = z.object({
  name: z.string(),
  role: roleSchema,
  capabilities: z.array(z.enum(['manage_shop', 'view_shop_reports'])),
});

/** decisions.md sections 9 and 10: cookie sessions and their nonces. */
export const sessionRoutes = [
  route('POST /v1/auth/login', 'Log in', {
    description: 'Sets the session cookie. Requests that change something carry the nonce in `X-Host-Nonce`.',
    tag: 'Accounts',
    access: 'open',
    body: loginBody,
    maxBody: 16 * 1024,
    answers: { 200: z.object({ user: described, nonce: z.string() }) },
    errors: ['rest_forbidden', 'svc_too_many_attempts'],
    example: { body: { username: 'admin', password: 'correct horse battery staple' } },
    handle: logIn,
  }),
  route('POST /v1/auth/logout', 'Log out', {
    description: 'Ends the session of the cookie and takes the cookie back.',
    tag: 'Accounts',
    access: { needs: 'anybody' },
    answers: { 200: z.object({ success: z.boolean() }) },
    handle: async (call, { accounts, administration, basePath }) => {
      const { identity, client } = call;
      const { kind, id } = identity.credential;
      const end = () => accounts.sessions.remove(id, identity.userId);
      if (kind === 'session') await administration.during({ call, what: 'logged out' }, end);
      const cookie = sessionCookieHeader('', { path: cookiePath(basePath), secure: client.https, maxAgeSeconds: 0 });
      return { body: { success: true }, headers: { 'Set-Cookie': cookie } };
    },
  }),
  route('GET /v1/auth/nonce', 'Get a nonce', {
    description: 'Valid for 24 hours, for the credential that asked. `user` is who asked.',
    tag: 'Accounts',
    access: { needs: 'anybody' },
    answers: { 200: z.object({ nonce: z.string(), expires_at: z.iso.datetime(), user: described }) },
    handle: async ({ identity }, { accounts }) => ({
      body: { ...accounts.makeNonce(identity), user: describe(identity) },
    }),
  }),
] as const;

async function logIn(call: Call<unknown, unknown, Login>, edge: Edge) {
  const user = await provenUser(edge, call, call.body);
  const token = randomBytes(32).toString('base64url');
  const now = edge.now();
  const session = {
    _id: edge.accounts.sessionKeys.hash(token),
    user_id: user._id,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + sessionLifetime).toISOString(),
    address: call.client.address,
    user_agent: call.header('user-agent')?.slice(0, 300) ?? null,
  };
  const identity = identityOf(user, { kind: 'session', id: session._id, scope: 'full' });
  const made = { call: { identity, client: call.client }, what: 'logged in' };
  await edge.administration.during(made, () => edge.accounts.sessions.add(session));
  const cookie = sessionCookieHeader(token, {
    path: cookiePath(edge.basePath),
    secure: call.client.https,
    maxAgeSeconds: sessionLifetime / 1000,
  });
  const { nonce } = edge.accounts.makeNonce(identity);
  return { body: { user: describe(identity), nonce }, headers: { 'Set-Cookie': cookie } };
}

function describe({ name, role }: Identity): z.output<typeof described> {
  return { name, role, capabilities: [...capabilitiesOf(role)] };
}

/** Throws 429 when it is not this caller's turn, 401 when the password is wrong; which of name and password is wrong is not told. */
async function provenUser(edge: Edge, call: Call, { username, password }: Login): Promise<UserDocument> {
  const { accounts, telemetry, security } = edge;
  const { address } = call.client;
  const user = await accounts.users.findByName(username);
  const refuse = (reason: 'wrong_password' | 'too_many_attempts'): void => {
    telemetry.login(reason);
    security.refused({ reason, what: 'login', user: user?.name ?? null, address });
  };
  const attempt = await accounts.guesses.begin(username, address).catch((error: unknown) => {
    if (error instanceof ServiceError) refuse('too_many_attempts');
    throw error;
  });
  // A disabled user looks like a wrong password.
  if (!(await accounts.passwordHolds(password, user?.password_hash)) || !user || user.disabled) {
    refuse('wrong_password');
    throw unauthenticated('The user name or the password is wrong.');
  }
  await attempt.succeeded();
  telemetry.login('success');
  return user;
}

export function cookiePath(basePath: string): string {
  return basePath === '' ? '/' : basePath;
}
