import { useState } from 'preact/hooks';
import { Act, Delete } from '../shell/act';
import { say } from '../shell/dialogs';
import { FormDialog, InputField, SelectField } from '../shell/forms';
import { currentPage, Listing } from '../shell/listing';
import { type Action, useAction, useGet } from '../shell/load';
import { Button, Card, Problem, Status } from '../shell/parts';
import { SecretOnce } from '../shell/secret-once';
import { api, type Body } from '../shell/session';

type User = Body<'GET /v1/auth/users'>['users'][number];
type Role = User['role'];

const roles: Readonly<Record<Role, string>> = {
  administrator: 'Administrator',
  shop_manager: 'Shop manager',
  shop_viewer: 'Viewer',
};
const abilities: Readonly<Record<Role, string>> = {
  administrator: 'Administrator: everything, including users',
  shop_manager: 'Shop manager: rules, orders, connections',
  shop_viewer: 'Viewer: only reads the log and reports',
};

/** Users and their roles. */
export function Users() {
  const users = useGet('GET /v1/auth/users', { query: { page: currentPage(), per_page: 50 } });
  const [open, setOpen] = useState<User | 'new'>();
  const action = useAction();
  const close = () => setOpen(undefined);
  return (
    <>
      <Card
        title="Users"
        actions={<Button text="Invite somebody" class="main small" act={() => setOpen('new')} />}
        flush
      >
        <Problem failure={action.failure} />
        <Listing
          of={users}
          rows={(data) => data.users}
          columns={[
            {
              title: 'Name',
              cell: ({ username, email, disabled }) => (
                <>
                  {username} {disabled && <Status value="disabled" />}
                  <br />
                  {email !== null && <small>{email}</small>}
                </>
              ),
            },
            { title: 'Role', named: true, cell: ({ role }) => roles[role] },
            {
              title: 'Change',
              cell: (user) => <Changes user={user} action={action} reload={users.reload} open={() => setOpen(user)} />,
            },
          ]}
          empty={{ title: 'No users' }}
        />
      </Card>
      {open === 'new' && <Invite close={close} done={users.reload} />}
      {open !== undefined && open !== 'new' && <ChangeRole user={open} close={close} done={users.reload} />}
    </>
  );
}

type ChangesProps = {
  readonly user: User;
  readonly action: Action;
  readonly reload: () => Promise<void>;
  readonly open: () => void;
};

function Changes({ user: { id, username, disabled }, action, reload, open }: ChangesProps) {
  const word = disabled ? 'Enable' : 'Disable';
  return (
    <span class="buttons">
      <Button text="Change role" class="small" label={`Change role of ${username}`} act={open} />
      <Act
        text={word}
        class="small"
        label={`${word} ${username}`}
        action={action}
        work={() => api('PUT /v1/auth/users/{id}', { params: { id }, body: { disabled: !disabled } })}
        done={`${username} is ${disabled ? 'enabled' : 'disabled'}`}
        then={reload}
      />
      <Delete
        name={username}
        effect="The user is signed out everywhere, and their application passwords stop working."
        action={action}
        work={() => api('DELETE /v1/auth/users/{id}', { params: { id } })}
        then={reload}
      />
    </span>
  );
}

type DialogProps = { readonly close: () => void; readonly done: () => Promise<void> };

function ChangeRole({ user: { id, username, role }, close, done }: DialogProps & { readonly user: User }) {
  const action = useAction();
  const submit = async (fields: Readonly<Record<string, string>>) => {
    const next = fields.role as Role;
    if (!(await action.run(() => api('PUT /v1/auth/users/{id}', { params: { id }, body: { role: next } })))) return;
    say(`${username} is now ${next === 'administrator' ? 'an' : 'a'} ${roles[next].toLowerCase()}`);
    close();
    await done();
  };
  return (
    <FormDialog title={`Role of ${username}`} text="Change role" action={action} submit={submit} close={close}>
      <SelectField label="Role" options={abilities} chosen={role} name="role" />
    </FormDialog>
  );
}

function Invite({ close, done }: DialogProps) {
  const [made, setMade] = useState<{ name: string; password: string }>();
  const action = useAction();
  const { problem } = action;
  const submit = async ({ username = '', email = '', role }: Readonly<Record<string, string>>) => {
    const body = { username, email: email === '' ? null : email, role: role as Role };
    const user = await action.run(() => api('POST /v1/auth/users', { body }));
    if (!user) return;
    await done();
    setMade({ name: user.username, password: user.password ?? '' });
  };
  if (made) return <SecretOnce title={`The password of ${made.name}`} secret={made.password} close={close} />;
  return (
    <FormDialog title="Invite somebody" text="Create account" action={action} submit={submit} close={close} besides>
      <InputField
        label="Name"
        problem={problem('username')}
        name="username"
        required
        maxLength={60}
        autocomplete="off"
      />
      <InputField label="E-mail" problem={problem('email')} name="email" type="email" autocomplete="off" />
      <SelectField label="Role" options={abilities} chosen="shop_viewer" name="role" />
      <p class="soft">You see the password once. Hand it over; the user can change it.</p>
    </FormDialog>
  );
}
