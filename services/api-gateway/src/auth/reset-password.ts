import type { Store } from '@order-automation/store';
import { openSessions } from '../collections/sessions';
import { openUsers } from '../collections/users';
import { hashPassword, randomPassword } from './password';

/**
 * Gives a user a random password, for somebody who works at the machine and has forgotten it: ends the sessions, and enables the user where
 * that was disabled. Undefined when there is no such user. `now` in milliseconds since the epoch.
 */
export async function resetPassword(store: Store, userName: string, now: number) {
  const users = await openUsers(store);
  const user = await users.findByName(userName);
  if (!user) return undefined;
  const password = randomPassword();
  const password_hash = await hashPassword(password);
  await users.change(user._id, { password_hash, password_changed_at: now, disabled: false });
  const sessionsEnded = await (await openSessions(store)).removeAll(user._id);
  return { name: user.name, password, sessionsEnded };
}
