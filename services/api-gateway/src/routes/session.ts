import { randomBytes } from 'node:crypto';
import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import type { Accounts } from '../auth/accounts';
import { identityOf } from '../auth/authenticate';
import { unauthenticated } from '../auth/authorise';
import { sessionCookieHeader } from '../auth/credentials';
import { capabilitiesOf, type Identity, userId } from '../auth/identity';
import type { UserDocument } from '../collections/users';
import type { SecurityLog } from '../security-log';
import type { Telemetry } from '../telemetry';
import type { Answer, Call, Route } from './route';

export type SessionEdge = {
  readonly accounts: Accounts;
  readonly security: SecurityLog;
  readonly telemetry: Telemetry;
  readonly basePath: string;
  now(): number;
};

/** Milliseconds that a login lasts. */
const sessionLifetime = 7 * 24 * 60 * 60 * 1000;

const loginBody = z.object({ username: z.string().min(1).max(200), password: z.string().min(1).max(1000) });

/** decisions.md sections 9 and 10: cookie sessions and their nonces. */
export function sessionRoutes(edge: SessionEdge): readonly Route[] {
  return [
    { method: 'POST', path: '/v1/auth/login', open: true, handle: (call) => logIn(edge, call) },
    {
      method: 'POST',
      path: '/v1/auth/logout',
      access: { needs: 'anybody' },
      handle: async ({ identity, client }) => {
        const { kind, id } = identity.credential;
        if (kind === 'session') await edge.accounts.sessions.remove(id);
        const cookie = sessionCookieHeader('', { path: cookiePath(edge), secure: client.https, maxAgeSeconds: 0 });
        return { body: { success: true }, headers: { 'Set-Cookie': cookie } };
      },
    },
    {
      method: 'GET',
      path: '/v1/auth/nonce',
      access: { needs: 'anybody' },
      handle: async ({ identity }) => ({ body: edge.accounts.makeNonce(identity) }),
    },
  ];
}

async function logIn(edge: SessionEdge, call: Call): Promise<Answer> {
  const { username, password } = loginBody.parse(call.body ?? {});
  const user = await provenUser(edge, call, username, password);
  const token = randomBytes(32).toString('base64url');
  const now = edge.now();
  const session = {
    _id: edge.accounts.sessionKeys.hash(token),
    user_id: user._id,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + sessionLifetime).toISOString(),
  };
  await edge.accounts.sessions.add(session);
  const identity = identityOf(user, 'session', session._id);
  const cookie = sessionCookieHeader(token, {
    path: cookiePath(edge),
    secure: call.client.https,
    maxAgeSeconds: sessionLifetime / 1000,
  });
  const { nonce } = edge.accounts.makeNonce(identity);
  return { body: { user: described(identity), nonce }, headers: { 'Set-Cookie': cookie } };
}

/** Throws 429 when it is not this caller's turn, 401 when the password is wrong; which of name and password is wrong is not told. */
async function provenUser(edge: SessionEdge, call: Call, username: string, password: string): Promise<UserDocument> {
  const { accounts, telemetry, security } = edge;
  const { address } = call.client;
  const user = await accounts.users.find(userId(username));
  const refuse = (reason: 'wrong_password' | 'too_many_attempts'): void => {
    telemetry.login(reason);
    security.refused({ reason, what: 'login', user: user?.name ?? null, address });
  };
  const attempt = await accounts.guesses.begin(username, address).catch((error: unknown) => {
    if (error instanceof ServiceError) refuse('too_many_attempts');
    throw error;
  });
  if (!(await accounts.passwordHolds(password, user?.password_hash)) || !user) {
    refuse('wrong_password');
    throw unauthenticated('The user name or the password is wrong.');
  }
  await attempt.succeeded();
  telemetry.login('success');
  return user;
}

function described(identity: Identity) {
  return { name: identity.name, role: identity.role, capabilities: capabilitiesOf(identity.role) };
}

function cookiePath({ basePath }: SessionEdge): string {
  return basePath === '' ? '/' : basePath;
}
