import { ServiceError } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { ApplicationPasswords } from '../collections/application-passwords';
import type { SavedFilters } from '../collections/saved-filters';
import type { Sessions } from '../collections/sessions';
import type { UserChanges, UserDocument, Users } from '../collections/users';
import { unauthenticated } from './authorise';
import type { Guesses } from './guesses';
import type { Identity, Role } from './identity';
import { hashPassword, type PasswordCheck, randomPassword } from './password';
import type { RecentCredentials } from './recent';

export type UserInput = {
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly disabled: boolean;
  /** Undefined: a random one. */
  readonly password: string | undefined;
};

export type AccountParts = {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly applicationPasswords: ApplicationPasswords;
  readonly savedFilters: SavedFilters;
  readonly guesses: Guesses;
  readonly recent: RecentCredentials;
  readonly passwordHolds: PasswordCheck;
  readonly clock: Clock;
};

/** What administrators do to users, and users to themselves. Refusals are ServiceErrors. */
export function accountChanges(parts: AccountParts) {
  return {
    /** `password` is there when it was made up here. */
    create: (input: UserInput) => create(parts, input),
    /** A new password, or being disabled, ends the user's sessions. */
    change: (id: string, changes: Partial<UserInput>) => change(parts, id, changes),
    remove: (id: string) => remove(parts, id),
    /** Ends every other session of the user; resolves with how many. Wrong passwords count as guesses. */
    changePassword: (identity: Identity, passwords: Passwords, address: string) =>
      changePassword(parts, identity, passwords, address),
  };
}

async function create({ users, clock }: AccountParts, input: UserInput) {
  const { username, email, role, disabled } = input;
  const password = input.password ?? randomPassword();
  const now = clock.now();
  const user = await users.add({
    name: username,
    email,
    role,
    disabled,
    password_hash: await hashPassword(password),
    password_changed_at: now,
    created_at: new Date(now).toISOString(),
  });
  if (!user) throw nameTaken();
  return { user, password: input.password === undefined ? password : undefined };
}

async function change(parts: AccountParts, id: string, changes: Partial<UserInput>): Promise<UserDocument> {
  const { users, sessions, recent } = parts;
  const before = await users.find(id);
  if (!before) throw userNotFound();
  const fields = await fieldsOf(changes, parts.clock.now());
  const outcome = await users.change(id, fields);
  if (outcome === 'missing') throw userNotFound();
  if (outcome === 'name_taken') throw nameTaken();
  const after = { ...before, ...fields };
  if (isAdministrator(before) && !isAdministrator(after) && (await users.administrators()) === 0) {
    const { _id, name_key, created_at, ...previous } = before;
    await users.change(id, previous);
    throw lastAdministrator();
  }
  recent.forgetUser(id);
  if (fields.password_hash !== undefined || after.disabled) await sessions.removeAll(id);
  return after;
}

async function fieldsOf({ username, email, role, disabled, password }: Partial<UserInput>, now: number) {
  const fields: UserChanges = {
    ...(username !== undefined && { name: username }),
    ...(email !== undefined && { email }),
    ...(role !== undefined && { role }),
    ...(disabled !== undefined && { disabled }),
    ...(password !== undefined && { password_hash: await hashPassword(password), password_changed_at: now }),
  };
  return fields;
}

/** Removed first and counted then, so that of two administrators who remove each other one stays. */
async function remove(parts: AccountParts, id: string): Promise<UserDocument> {
  const { users, sessions, applicationPasswords, savedFilters, recent } = parts;
  const user = await users.find(id);
  if (!user || !(await users.remove(id))) throw userNotFound();
  if (isAdministrator(user) && (await users.administrators()) === 0) {
    await users.restore(user);
    throw lastAdministrator();
  }
  recent.forgetUser(id);
  await sessions.removeAll(id);
  await applicationPasswords.removeAll(id);
  await savedFilters.removePrivate(id);
  return user;
}

type Passwords = { readonly current: string; readonly next: string };

async function changePassword(
  parts: AccountParts,
  identity: Identity,
  { current, next }: Passwords,
  address: string,
): Promise<number> {
  const { users, sessions, guesses, recent, passwordHolds, clock } = parts;
  const { userId, name, credential } = identity;
  const attempt = await guesses.begin(name, address);
  const user = await users.find(userId);
  if (!user || !(await passwordHolds(current, user.password_hash))) {
    throw unauthenticated('The current password is wrong.');
  }
  await attempt.succeeded();
  await users.change(userId, { password_hash: await hashPassword(next), password_changed_at: clock.now() });
  recent.forgetUser(userId);
  return sessions.removeAll(userId, credential.kind === 'session' ? credential.id : undefined);
}

function isAdministrator({ role, disabled }: Pick<UserDocument, 'role' | 'disabled'>): boolean {
  return role === 'administrator' && !disabled;
}

export function userNotFound(): ServiceError {
  return new ServiceError(404, 'svc_user_not_found', 'There is no such user.');
}

function nameTaken(): ServiceError {
  return new ServiceError(409, 'svc_user_exists', 'There is a user with this name already.');
}

function lastAdministrator(): ServiceError {
  const message = 'This is the last administrator. Make another user an administrator first.';
  return new ServiceError(409, 'svc_last_administrator', message);
}
