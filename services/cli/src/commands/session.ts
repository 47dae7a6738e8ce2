import type { Command } from 'commander';
import { openApi } from '../api';
import { ask, type Context, show } from '../context';
import { CliError, exitCodes } from '../failure';
import { facts } from '../output';
import { address, forgetProfile, profileFile, storeProfile } from '../profile';

/** `login`, `logout`, `whoami`: which installation the other commands talk to, and as whom. */
export function addSession(program: Command, context: Context): void {
  const { env, terminal } = context;
  program
    .command('login')
    .argument('<url>', 'address of the installation, with its BASE_PATH')
    .description('remember an installation and an application password for it (the file is readable by you alone)')
    .option('-u, --user <name>', 'user whose application password it is', 'admin')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (url: string, options: { user: string; passwordStdin?: boolean }) => {
      const given = env.ORDERCTL_PASSWORD?.trim();
      const question = options.passwordStdin ? '' : `Application password of ${options.user}: `;
      const password = given || (await ask(context, question, !options.passwordStdin)).trim();
      if (password === '')
        throw new CliError(
          exitCodes.usage,
          'There is no password.',
          'Give it when asked, in ORDERCTL_PASSWORD, or with --password-stdin.',
        );
      const profile = { url: address(url), user: options.user, password };
      await openApi(profile).call('GET /v1/auth/nonce');
      const file = storeProfile(env, profile);
      terminal.write(`${profile.user} is logged in to ${profile.url}; kept in ${file}\n`);
    });
  program
    .command('logout')
    .description('forget the stored log-in')
    .action(() => {
      terminal.write(
        forgetProfile(env)
          ? 'The stored log-in is forgotten. The application password itself still works: revoke it in the settings.\n'
          : 'There is no stored log-in.\n',
      );
    });
  program
    .command('whoami')
    .description('say which installation commands talk to, and as whom')
    .action(async () => {
      const { url, user, call } = context.api();
      await call('GET /v1/auth/nonce');
      show(context, { url, user }, () =>
        facts([
          ['installation', url],
          ['user', user],
          ['known from', env.ORDERCTL_PASSWORD ? 'the environment' : profileFile(env)],
        ]),
      );
    });
}
