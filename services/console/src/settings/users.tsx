import { useMemo } from 'preact/hooks';
import { Act, Delete, showSecret } from '../shell/act';
import { open } from '../shell/dialogs';
import { FormDialog, InputField, SelectField } from '../shell/forms';
import { Listing, paging } from '../shell/listing';
import { type Action, useAction, useGet } from '../shell/load';
import { Button, Card, Problem, Status } from '../shell/parts';
import { api, type Body } from '../shell/session';
import labels from './labels.json';

type User = Body<'GET /v1/auth/users'>['users'][number];
type Role = User['role'];

const { roles, abilities } = labels;

export function Users() {
  const users = useGet('GET /v1/auth/users', { query: paging() });
  const action = useAction();
  const invite = () => open(<Invite done={users.reload} />);
  return (
    <Card title="Users" actions={<Button text="Invite somebody" class="main small" act={invite} />} flush>
      <Problem failure={action.failure} />
      <Listing
        of={users}
        rows={(data) => data.users}
        columns={{
          Name: ({ username, email, disabled }) => (
            <>
              {username} {disabled && <Status value="disabled" />}
              <br />
              {email !== null && <small>{email}</small>}
            </>
          ),
          Role: { named: true, cell: ({ role }) => roles[role] },
          Change: (user) => <Changes user={user} action={action} reload={users.reload} />,
        }}
        empty={{ title: 'No users' }}
      />
    </Card>
  );
}

function Changes({ user, action, reload }: { user: User; action: Action; reload: () => Promise<void> }) {
  const { id, username, disabled } = user;
  const word = disabled ? 'Enable' : 'Disable';
  const next = useMemo(() => crypto.randomUUID(), [user]);
  const change = () => open(<ChangeRole user={user} done={reload} />);
  return (
    <span class="buttons">
      <Button text="Change role" class="small" label={`Change role of ${username}`} act={change} />
      <Act
        text="New password"
        class="small"
        label={`New password for ${username}`}
        question={{
          title: `A new password for ${username}?`,
          text: 'The old one stops working, and the user is signed out everywhere.',
          confirm: 'Make a new password',
        }}
        action={action}
        work={() => api('PUT /v1/auth/users/{id}', { params: { id }, body: { password: next } })}
        done={`${username} has a new password`}
        then={() => showSecret(`The password of ${username}`, next)}
      />
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

function ChangeRole({ user: { id, username, role }, done }: { user: User; done: () => Promise<void> }) {
  return (
    <FormDialog
      title={`Role of ${username}`}
      text="Change role"
      work={(fields) => api('PUT /v1/auth/users/{id}', { params: { id }, body: { role: fields.role as Role } })}
      done={(_, fields) => {
        const next = fields.role as Role;
        return `${username} is now ${next === 'administrator' ? 'an' : 'a'} ${roles[next].toLowerCase()}`;
      }}
      then={done}
    >
      <SelectField label="Role" options={abilities} chosen={role} name="role" />
    </FormDialog>
  );
}

function Invite({ done }: { done: () => Promise<void> }) {
  return (
    <FormDialog
      title="Invite somebody"
      text="Create account"
      work={({ username = '', email = '', role }) => {
        const body = { username, email: email === '' ? null : email, role: role as Role };
        return api('POST /v1/auth/users', { body });
      }}
      then={({ username, password }) => {
        showSecret(`The password of ${username}`, password ?? '');
        return done();
      }}
    >
      <InputField label="User name" hint="To sign in with, without spaces" name="username" required maxLength={60} />
      <InputField label="E-mail" name="email" type="email" />
      <SelectField label="Role" options={abilities} chosen="shop_viewer" name="role" />
      <p class="soft">You see the password once. Hand it over; the user can change it.</p>
    </FormDialog>
  );
}
