import type { Commands } from '../commands';
import { CliError, exitCodes, usageError } from '../failure';
import type { Env } from '../profile';

/** `admin`: what is done on the machine of an installation, on its stores. */
export const admin: Commands = {
  admin: 'on the machine of an installation, for those who may read its stores',
  'admin reset-password': async ({ user, dataDir }: { user?: string; dataDir?: string }, { env, terminal }) => {
    const named: Env = { ...env, ...(dataDir !== undefined && { DATA_DIR: dataDir, MONGODB_URI: '' }) };
    if (!named.DATA_DIR?.trim() && !named.MONGODB_URI?.trim())
      throw usageError(
        'Nobody has named an installation.',
        'orderctl admin reset-password --data-dir ./data, or set DATA_DIR or MONGODB_URI.',
      );
    const { resetPasswordOf } = await import('@order-automation/run/admin');
    const announce = (installation: string) => terminal.warn(`Installation: ${installation}\n`);
    const reset = await resetPasswordOf(named, user, announce).catch((error: Error) => {
      throw error.constructor.name === 'ConfigError' ? usageError(error.message) : error;
    });
    if (!reset)
      throw new CliError(exitCodes.no, `There is no user ${JSON.stringify(user ?? named.ADMIN_USER ?? 'admin')}.`);
    terminal.write(`New password of ${reset.name}: ${reset.password}\nSessions ended: ${reset.sessionsEnded}\n`);
  },
};
