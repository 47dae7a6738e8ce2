import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useState } from 'preact/hooks';
import { SecretOnce } from '../connections/secret-once';
import { DeleteButton } from '../shell/delete-button';
import { Dialog, say } from '../shell/dialogs';
import { Form, InputField, Options, SelectField } from '../shell/forms';
import { useAction, useLoad } from '../shell/load';
import { Pager } from '../shell/pager';
import { Button, Card, Problem, Shown, Status, Table } from '../shell/parts';
import { address } from '../shell/router';
import { api } from '../shell/session';

type User = Extract<AnswerTo<'GET /v1/auth/users'>, { ok: true }>['body']['users'][number];
type Role = User['role'];

const roles: Readonly<Record<Role, string>> = {
  administrator: 'Administrator: everything, users too',
  shop_manager: 'Shop manager: rules, orders, connections',
  shop_viewer: 'Viewer: reads the log and reports',
};
const roleNames: Readonly<Record<Role, string>> = {
  administrator: 'Administrator',
  shop_manager: 'Shop manager',
  shop_viewer: 'Viewer',
};

/** Who may do what. */
export function Users() {
  const page = Number(address.value.query.page ?? '1') || 1;
  const users = useLoad(() => api('GET /v1/auth/users', { query: { page, per_page: 50 } }), [page]);
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <Card
        title="Users"
        actions={<Button text="Invite somebody" class="main small" act={() => setInviting(true)} />}
        flush
      >
        <Shown of={users} rows={4}>
          {({ users: list, pagination }) => (
            <>
              <Table heads={['Name', 'Role', 'Change']}>
                {list.map((one) => (
                  <UserRow key={one.id} user={one} reload={users.reload} />
                ))}
              </Table>
              {pagination.total > pagination.per_page && <Pager of={pagination} />}
            </>
          )}
        </Shown>
      </Card>
      {inviting && <Invite close={() => setInviting(false)} done={users.reload} />}
    </>
  );
}

function UserRow({ user, reload }: { user: User; reload: () => Promise<void> }) {
  const { id, username, email, role, disabled } = user;
  const action = useAction();
  const { busy, failure, run } = action;
  const change = async (body: { role?: Role; disabled?: boolean }, text: string) => {
    if (await run(() => api('PUT /v1/auth/users/{id}', { params: { id }, body }))) say(text);
    await reload();
  };
  return (
    <tr>
      <td>
        {username} {disabled && <Status value="disabled" />}
        <br />
        {email !== null && <small>{email}</small>}
        <Problem failure={failure} />
      </td>
      <td>
        <select
          aria-label={`Role of ${username}`}
          value={role}
          disabled={busy}
          onChange={(event) =>
            void change({ role: event.currentTarget.value as Role }, `${username} has another role.`)
          }
        >
          <Options options={roleNames} />
        </select>
      </td>
      <td>
        <span class="buttons">
          <Button
            text={disabled ? 'Enable' : 'Disable'}
            class="small"
            disabled={busy}
            label={`${disabled ? 'Enable' : 'Disable'} ${username}`}
            act={() => change({ disabled: !disabled }, `${username} is ${disabled ? 'enabled' : 'disabled'}.`)}
          />
          <DeleteButton
            name={username}
            text="Sessions and application passwords of the user end at once."
            done={`${username} is deleted.`}
            work={() => api('DELETE /v1/auth/users/{id}', { params: { id } })}
            action={action}
            reload={reload}
          />
        </span>
      </td>
    </tr>
  );
}

function Invite({ close, done }: { close: () => void; done: () => Promise<void> }) {
  const [made, setMade] = useState<{ name: string; password: string }>();
  const action = useAction();
  const { run, problem } = action;
  const submit = async (form: FormData) => {
    const email = String(form.get('email'));
    const body = {
      username: String(form.get('username')),
      email: email === '' ? null : email,
      role: String(form.get('role')) as Role,
    };
    const user = await run(() => api('POST /v1/auth/users', { body }));
    if (!user) return;
    await done();
    setMade({ name: user.username, password: user.password ?? '' });
  };
  if (made) return <SecretOnce title={`The password of ${made.name}`} secret={made.password} close={close} />;
  return (
    <Dialog title="Invite somebody" close={close}>
      <Form text="Make the account" action={action} submit={submit} close={close} besides>
        <InputField
          label="Name"
          problem={problem('username')}
          name="username"
          required
          maxLength={60}
          autocomplete="off"
        />
        <InputField label="E-mail" problem={problem('email')} name="email" type="email" autocomplete="off" />
        <SelectField label="Role" options={roles} chosen={'shop_viewer'} name="role" defaultValue="shop_viewer" />
        <p class="soft">A password is made and shown to you once; hand it over, and it can be changed.</p>
      </Form>
    </Dialog>
  );
}
