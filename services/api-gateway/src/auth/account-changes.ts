import { ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import type { UserDocument } from '../collections/users';
import type { AccountParts } from './accounts';
import { unauthenticated } from './authorise';
import { type Identity, roleSchema, userNameSchema } from './identity';
import { hashPassword, passwordSchema, randomPassword } from './password';

export const userFields = {
  username: userNameSchema,
  email: z.email().max(254).nullable(),
  role: roleSchema,
  disabled: z.boolean(),
  password: passwordSchema,
};
type UserInput = z.output<z.ZodObject<typeof userFields>>;
/** Without a password: a random one. */
type NewUserInput = Omit<UserInput, 'password'> & { readonly password?: string | undefined };
type Passwords = { readonly current: string; readonly next: string };

/** What administrators do to users, and users to themselves. Refusals are ServiceErrors. */
export function accountChanges(parts: AccountParts) {
  const { users, sessions, applicationPasswords, savedFilters, guesses, passwordHolds, clock } = parts;
  return {
    /** `password` is there when it was made up here. */
    create: async ({ username: name, password: given, ...fields }: NewUserInput) => {
      const password = given ?? randomPassword();
      const now = clock.now();
      const password_hash = await hashPassword(password);
      const created_at = new Date(now).toISOString();
      const user = await users.add({ name, ...fields, password_hash, password_changed_at: now, created_at });
      if (!user) throw nameTaken();
      return { user, password: given === undefined ? password : undefined };
    },
    /** A new password, or being disabled, ends the user's sessions. */
    change: async (id: string, { username: name, password, ...others }: Partial<UserInput>): Promise<UserDocument> => {
      const before = await users.find(id);
      if (!before) throw userNotFound();
      const fields = {
        ...(name !== undefined && { name }),
        ...others,
        ...(password !== undefined && {
          password_hash: await hashPassword(password),
          password_changed_at: clock.now(),
        }),
      };
      const outcome = await users.change(id, fields);
      if (outcome === 'missing') throw userNotFound();
      if (outcome === 'name_taken') throw nameTaken();
      const after = { ...before, ...fields };
      if (isAdministrator(before) && !isAdministrator(after) && (await users.administrators()) === 0) {
        const { _id, name_key, created_at, ...previous } = before;
        await users.change(id, previous);
        throw lastAdministrator();
      }
      if (password !== undefined || after.disabled) await sessions.removeAll(id);
      return after;
    },
    /** Removed first and counted then, so that of two administrators who remove each other one stays. */
    remove: async (id: string): Promise<UserDocument> => {
      const user = await users.find(id);
      if (!user || !(await users.remove(id))) throw userNotFound();
      if (isAdministrator(user) && (await users.administrators()) === 0) {
        await users.restore(user);
        throw lastAdministrator();
      }
      await sessions.removeAll(id);
      await applicationPasswords.removeAll(id);
      await savedFilters.removePrivate(id);
      return user;
    },
    /** Ends every other session of the user; resolves with how many. Wrong passwords count as guesses. */
    changePassword: async (identity: Identity, { current, next }: Passwords, address: string): Promise<number> => {
      const { userId, name, credential } = identity;
      const attempt = await guesses.begin(name, address);
      const user = await users.find(userId);
      if (!user || !(await passwordHolds(current, user.password_hash)))
        throw unauthenticated('The current password is wrong.');
      await attempt.succeeded();
      await users.change(userId, { password_hash: await hashPassword(next), password_changed_at: clock.now() });
      return sessions.removeAll(userId, credential.kind === 'session' ? credential.id : undefined);
    },
  };
}

const isAdministrator = ({ role, disabled }: Pick<UserDocument, 'role' | 'disabled'>): boolean =>
  role === 'administrator' && !disabled;

export const userNotFound = () => new ServiceError(404, 'svc_user_not_found', 'There is no such user.');
const nameTaken = () => new ServiceError(409, 'svc_user_exists', 'There is a user with this name already.');
const lastAdministrator = () =>
  new ServiceError(
    409,
    'svc_last_administrator',
    'This is the last administrator. Make another user an administrator first.',
  );
