import type { IncomingMessage } from 'node:http';
import type { UserDocument, Users } from '../collections/users';
import type { AccountParts } from './accounts';
import { normaliseApplicationPassword } from './application-password';
import type { Client } from './client-address';
import { type BasicCredentials, parseBasic, parseBearer, sessionTokenOf } from './credentials';
import { type Credential, type Identity, nameKey } from './identity';
import type { TokenSubject } from './tokens';

/** A cookie names a session by 256 random bits: one that names none was a session that has ended, not a guess. */
export type NobodyReason =
  | 'no_credentials'
  | 'bad_credentials'
  | 'session_ended'
  | 'token_not_taken'
  | 'not_confidential';

/** Who sent a request, or why nobody can be said to have. */
export type Authentication =
  | { readonly kind: 'known'; readonly identity: Identity }
  | { readonly kind: 'nobody'; readonly reason: NobodyReason }
  /** Too many wrong application passwords came from this address. */
  | { readonly kind: 'too_many'; readonly waitMs: number };

const nobody = (reason: NobodyReason): Authentication => ({ kind: 'nobody', reason });

export type AuthenticationOptions = {
  readonly client: Client;
  /** Whether the route takes tokens too. */
  readonly tokens: boolean;
};

/** Section 5 of the specification. An Authorization header decides alone; the session cookie counts only without one. */
export async function authenticate(
  parts: AccountParts,
  req: IncomingMessage,
  { client, tokens }: AuthenticationOptions,
): Promise<Authentication> {
  const { authorization, cookie } = req.headers;
  const token = authorization === undefined ? undefined : parseBearer(authorization);
  if (token !== undefined) return tokens ? byToken(parts, token, client) : nobody('token_not_taken');
  if (authorization !== undefined) return byApplicationPassword(parts, authorization, client);
  const session = sessionTokenOf(cookie);
  return session === undefined ? nobody('no_credentials') : bySession(parts, session);
}

async function byToken(parts: AccountParts, token: string, client: Client): Promise<Authentication> {
  if (!client.confidential) return nobody('not_confidential');
  const subject = await parts.tokens.verify(token);
  if (!subject) return nobody('bad_credentials');
  const user = await userOf(parts.users, subject);
  if (!user || user.disabled) return nobody('bad_credentials');
  const credential = { kind: 'token', id: subject.tokenId, scope: subject.scope } as const;
  return { kind: 'known', identity: identityOf(user, credential) };
}

/** A token of ours ends with the password that its user had; that of another issuer names its user letter by letter. */
async function userOf(users: Users, { user }: TokenSubject): Promise<UserDocument | null> {
  if ('name' in user) {
    const named = await users.findByName(user.name);
    return named?.name === user.name ? named : null;
  }
  const found = await users.find(user.id);
  return found?.password_changed_at === user.passwordChangedAt ? found : null;
}

async function byApplicationPassword(parts: AccountParts, header: string, client: Client): Promise<Authentication> {
  const basic = parseBasic(header);
  if (!basic) return nobody('bad_credentials');
  if (!client.confidential) return nobody('not_confidential');

  const identity = await identityBehind(parts, basic);
  if (!identity) {
    const waitMs = await parts.guesses.wrongApplicationPassword(client.address);
    return waitMs > 0 ? { kind: 'too_many', waitMs } : nobody('bad_credentials');
  }
  return { kind: 'known', identity };
}

async function identityBehind(parts: AccountParts, basic: BasicCredentials): Promise<Identity | undefined> {
  const hashes = parts.passwordKeys.hashes(normaliseApplicationPassword(basic.password));
  const found = await parts.applicationPasswords.findByHash(hashes);
  const user = found ? await parts.users.find(found.user_id) : null;
  if (!found || !user || user.disabled || user.name_key !== nameKey(basic.user)) return undefined;
  parts.noteUse(found._id, found.last_used_at);
  return identityOf(user, { kind: 'application_password', id: found._id, scope: found.scope });
}

async function bySession(parts: AccountParts, token: string): Promise<Authentication> {
  const now = new Date(parts.clock.now()).toISOString();
  const session = await parts.sessions.findLive(parts.sessionKeys.hashes(token), now);
  const user = session ? await parts.users.find(session.user_id) : null;
  if (!session || !user || user.disabled) return nobody('session_ended');
  return { kind: 'known', identity: identityOf(user, { kind: 'session', id: session._id, scope: 'full' }) };
}

export function identityOf({ _id, name, role }: UserDocument, credential: Credential): Identity {
  return { userId: _id, name, role, credential };
}
