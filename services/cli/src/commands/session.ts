import { openApi } from '../api';
import type { Commands } from '../commands';
import { ask, show } from '../context';
import { usageError } from '../failure';
import { facts } from '../output';
import { address, forgetProfile, profileFile, storeProfile } from '../profile';

type Login = { readonly url: string; readonly user: string; readonly passwordStdin?: boolean };

/** `login`, `logout`, `whoami`: which installation the other commands talk to, and as whom. */
export const session: Commands = {
  login: async ({ url, user, passwordStdin = false }: Login, context) => {
    const { env, terminal } = context;
    const question = passwordStdin ? '' : `Application password of ${user}: `;
    const known = passwordStdin ? '' : env.ORDERCTL_PASSWORD?.trim();
    const password = known || (await ask(context, question, !passwordStdin)).trim();
    if (password === '')
      throw usageError('There is no password.', 'Give it when asked, in ORDERCTL_PASSWORD, or with --password-stdin.');
    const profile = { url: address(url), user, password };
    await openApi(profile).call('GET /v1/auth/nonce');
    const file = storeProfile(env, profile);
    terminal.write(`${profile.user} is logged in to ${profile.url}; kept in ${file}\n`);
  },
  logout: (_: unknown, { env, terminal }) =>
    terminal.write(
      forgetProfile(env)
        ? 'The stored log-in is forgotten. The application password itself still works: revoke it in the settings.\n'
        : 'There is no stored log-in.\n',
    ),
  whoami: async (_: unknown, context) => {
    const { url, user, call } = context.api();
    await call('GET /v1/auth/nonce');
    show(context, { url, user }, () =>
      facts({
        installation: url,
        user: user,
        'known from': context.env.ORDERCTL_PASSWORD ? 'the environment' : profileFile(context.env),
      }),
    );
  },
};
