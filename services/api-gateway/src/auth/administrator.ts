import { randomUUID } from 'node:crypto';
import { ConfigError } from '@order-automation/service';
import type { ApplicationPasswords } from '../collections/application-passwords';
import type { Users } from '../collections/users';
import type { KeyedHash } from './keys';
import { hashPassword } from './password';

export type FirstAdministrator = {
  readonly user: string;
  readonly password: string | undefined;
  readonly now: string;
};

/**
 * Makes the administrator when there is no user yet (decisions.md section 9). Of two instances that start together one does. Throws ConfigError
 * when there is no user and no password to make one with.
 */
export async function ensureAdministrator(users: Users, { user, password, now }: FirstAdministrator): Promise<void> {
  if (await users.any()) return;
  if (password === undefined) {
    const problem = 'is not set, and the first start makes the administrator with it';
    throw new ConfigError([{ variable: 'ADMIN_PASSWORD', problem, example: 'a-long-sentence-that-you-remember' }]);
  }
  await users.add({
    name: user,
    email: null,
    role: 'administrator',
    disabled: false,
    password_hash: await hashPassword(password),
    password_changed_at: Date.parse(now),
    created_at: now,
  });
}

export type Provisioned = {
  readonly user: string;
  /** Without spaces; undefined: there is none (any more). */
  readonly password: string | undefined;
  readonly keys: KeyedHash;
  readonly now: string;
};

/**
 * Makes ADMIN_APPLICATION_PASSWORD the one provisioned password of the administrator: a former one ends.
 * False when there is no such user to have it.
 */
export async function provisionApplicationPassword(
  passwords: ApplicationPasswords,
  users: Users,
  { user, password, keys, now }: Provisioned,
): Promise<boolean> {
  const owner = (await users.findByName(user))?._id;
  if (owner === undefined) return password === undefined;
  const hashes = password === undefined ? [] : keys.hashes(password);
  const present = await passwords.ofUser(owner);
  for (const { _id, provisioned, hash } of present) {
    if (provisioned && !hashes.includes(hash)) await passwords.remove(_id, owner);
  }
  if (password === undefined || present.some(({ hash }) => hashes.includes(hash))) return true;
  await passwords.add({
    _id: randomUUID(),
    user_id: owner,
    name: 'provisioning',
    hash: keys.hash(password),
    last4: password.slice(-4),
    scope: 'full',
    created_at: now,
    last_used_at: null,
    provisioned: true,
  });
  return true;
}
