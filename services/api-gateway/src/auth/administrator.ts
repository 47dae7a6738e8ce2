import { ConfigError, type ServiceDeps } from '@order-automation/service';
import type { ApiGatewayConfig } from '../config';
import type { AccountParts } from './accounts';
import { applicationPasswordRecord } from './application-password';
import { hashPassword } from './password';

type Settings = Pick<ApiGatewayConfig, 'adminUser' | 'adminPassword' | 'adminApplicationPassword'>;

export async function seedAccounts(accounts: AccountParts, settings: Settings, log: ServiceDeps['log']): Promise<void> {
  const now = accounts.clock.now();
  const { adminUser: user } = settings;
  await ensureAdministrator(accounts, user, settings.adminPassword?.reveal(), now);
  if (await provisionApplicationPassword(accounts, user, settings.adminApplicationPassword?.reveal(), now)) return;
  log.warn({ user }, 'ADMIN_APPLICATION_PASSWORD is of no use: ADMIN_USER names a user that does not exist');
}

/**
 * Makes the administrator when there is no user yet (decisions.md section 9). Of two instances that start together one does. Throws ConfigError
 * when there is no user and no password to make one with.
 */
async function ensureAdministrator(
  { users }: AccountParts,
  name: string,
  password: string | undefined,
  now: number,
): Promise<void> {
  if (await users.any()) return;
  if (password === undefined) {
    const problem = 'is not set, and the first start makes the administrator with it';
    throw new ConfigError([{ variable: 'ADMIN_PASSWORD', problem, example: 'a-long-sentence-that-you-remember' }]);
  }
  await users.add({
    name,
    email: null,
    role: 'administrator',
    disabled: false,
    password_hash: await hashPassword(password),
    password_changed_at: now,
    created_at: new Date(now).toISOString(),
  });
}

/**
 * Makes ADMIN_APPLICATION_PASSWORD (without spaces; undefined: there is none, any more) the one provisioned password of the administrator: a former one
 * ends. False when there is no such user to have it.
 */
async function provisionApplicationPassword(
  { applicationPasswords, users, passwordKeys }: AccountParts,
  user: string,
  password: string | undefined,
  now: number,
): Promise<boolean> {
  const owner = (await users.findByName(user))?._id;
  if (owner === undefined) return password === undefined;
  const hashes = password === undefined ? [] : passwordKeys.hashes(password);
  const present = await applicationPasswords.ofUser(owner);
  for (const { _id, provisioned, hash } of present) {
    if (provisioned && !hashes.includes(hash)) await applicationPasswords.remove(_id, owner);
  }
  if (password === undefined || present.some(({ hash }) => hashes.includes(hash))) return true;
  const chosen = { user_id: owner, name: 'provisioning', scope: 'full', provisioned: true } as const;
  await applicationPasswords.add(applicationPasswordRecord(chosen, password, passwordKeys, now));
  return true;
}
