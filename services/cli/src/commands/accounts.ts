import type { Command } from 'commander';
import { type Context, confirm, show, showTable } from '../context';
import { facts } from '../output';

/** `users`: colleagues, and what they may do. */
export function addUsers(program: Command, context: Context): void {
  const users = program.command('users').description('who may sign in');
  users
    .command('list')
    .description('list users')
    .action(async () => {
      const answer = await context.api().call('GET /v1/auth/users');
      const columns = [
        ['USER', 'username'],
        ['ROLE', 'role'],
        ['E-MAIL', 'email'],
        ['DISABLED', 'disabled'],
        ['ID', 'id'],
      ] as const;
      showTable(context, answer, answer.users, columns, 'There are no users.');
    });
  users
    .command('create')
    .argument('<name>')
    .option('--email <address>', 'e-mail address')
    .option('--role <role>', 'administrator, shop_manager, or shop_viewer who may only read', 'shop_viewer')
    .option('-y, --yes', 'do not ask')
    .description('make a user with a password that is shown once')
    .action(
      async (username: string, { email = null, role, yes }: { email?: string | null; role: string; yes?: boolean }) => {
        await confirm(context, `make ${username} a ${role}`, yes);
        const { call } = context.api();
        const { nonce } = await call('GET /v1/auth/nonce');
        const headers = { 'x-host-nonce': nonce };
        const answer = await call('POST /v1/auth/users', { body: { username, email, role } as never, headers });
        show(context, answer, () =>
          facts([
            ['user', answer.username],
            ['role', answer.role],
            ['password', answer.password],
            ['note', 'It is not shown again.'],
          ]),
        );
      },
    );
}
