import { type Commands, lists } from '../commands';
import { confirm, show } from '../context';
import { facts } from '../output';

export const accounts: Commands = {
  users: 'who may sign in',
  'users list': lists('GET /v1/auth/users', {
    rows: 'users',
    columns: { USER: 'username', ROLE: 'role', 'E-MAIL': 'email', DISABLED: 'disabled', ID: 'id' },
    none: 'There are no users.',
  }),
  'users create': async ({ name: username, email, role }: { name: string; email?: string; role: string }, context) => {
    await confirm(context, `create ${username} as a ${role}`);
    const { call } = context.api();
    const { nonce } = await call('GET /v1/auth/nonce');
    const body = { username, email: email ?? null, role } as never;
    const answer = await call('POST /v1/auth/users', { body, headers: { 'x-host-nonce': nonce } });
    show(context, answer, () =>
      facts({ user: answer.username, role: answer.role, password: answer.password, note: 'It is not shown again.' }),
    );
  },
};
