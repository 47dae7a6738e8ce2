import { randomBytes } from 'node:crypto';
import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import { identityOf } from '../../auth/authenticate';
import { unauthenticated } from '../../auth/authorise';
import { sessionCookieHeader } from '../../auth/credentials';
import { capabilitiesOf, type Identity, roleSchema, scopeSchema } from '../../auth/identity';
import { longestLife } from '../../auth/tokens';
import type { UserDocument } from '../../collections/users';
import type { Call } from '../../http/call';
import type { Edge } from '../../http/edge';
import { route } from '../../http/route';
import { licenceSchema } from '../../licence';

/** Milliseconds that a login lasts. */
const sessionLifetime = 7 * 24 * 60 * 60 * 1000;

const loginBody = z.strictObject({ username: z.string().min(1).max(200), password: z.string().min(1).max(1000) });
type Login = z.infer<typeof loginBody>;

const described = z.object({
  name: z.string(),
  role: roleSchema,
  capabilities: z.array(z.enum(['manage_shop', 'view_shop_reports'])),
});

const session = z.object({ user: described, nonce: z.string(), edition: licenceSchema.shape.edition });

const ofUser = { tag: 'Accounts', access: { needs: 'anybody' } } as const;

/** decisions.md sections 9 and 10: cookie sessions and their nonces. */
export const sessionRoutes = [
  route('POST /v1/auth/login', 'Log in', {
    tag: 'Accounts',
    access: 'open',
    body: loginBody,
    maxBody: 16 * 1024,
    answers: { 200: session },
    errors: ['rest_forbidden', 'svc_too_many_attempts'],
    handle: logIn,
  }),
  route('POST /v1/auth/logout', 'Log out', {
    ...ofUser,
    answers: { 200: z.object({ success: z.boolean() }) },
    handle: async (call, edge) => {
      const { identity } = call;
      const { kind, id } = identity.credential;
      const end = () => edge.accounts.sessions.remove(id, identity.userId);
      if (kind === 'session') await edge.administration.during({ call, what: 'logged out' }, end);
      return { body: { success: true }, headers: cookieHeaders(call, edge) };
    },
  }),
  route('GET /v1/auth/nonce', 'Get a nonce', {
    ...ofUser,
    answers: { 200: session.extend({ expires_at: z.iso.datetime() }) },
    handle: async ({ identity }, edge) => ({
      body: { ...edge.accounts.makeNonce(identity), user: describe(identity), edition: edge.licence.edition },
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
  const { nonce } = edge.accounts.makeNonce(identity);
  return {
    body: { user: describe(identity), nonce, edition: edge.licence.edition },
    headers: cookieHeaders(call, edge, token, sessionLifetime / 1000),
  };
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

/** The header that sets the session cookie for so many seconds; by default it takes the cookie back. */
export function cookieHeaders({ client }: Pick<Call, 'client'>, { basePath }: Edge, token = '', maxAgeSeconds = 0) {
  const options = { path: basePath === '' ? '/' : basePath, secure: client.https, maxAgeSeconds };
  return { 'Set-Cookie': sessionCookieHeader(token, options) };
}

/** decisions.md section 9: tokens for the extended routes. */
export const tokenRoutes = [
  route('POST /v1/auth/token', 'Get a token for the extended routes', {
    ...ofUser,
    body: z.strictObject({
      scope: scopeSchema.default('full'),
      /** Seconds. */
      expires_in: z.int().min(60).max(longestLife).default(longestLife),
    }),
    maxBody: 16 * 1024,
    answers: {
      200: z.object({
        access_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.int(),
        scope: scopeSchema,
      }),
    },
    handle: async ({ body, identity }, { accounts }) => {
      const user = await accounts.users.find(identity.userId);
      if (!user) throw unauthenticated('You are not logged in.');
      const access_token = await accounts.tokens.issue({
        userId: user._id,
        passwordChangedAt: user.password_changed_at,
        scope: body.scope,
        life: body.expires_in,
      });
      return { body: { access_token, token_type: 'Bearer' as const, ...body } };
    },
  }),
] as const;
