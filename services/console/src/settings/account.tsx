import { Act } from '../shell/act';
import { say } from '../shell/dialogs';
import { browserText, plural } from '../shell/format';
import { Form, InputField } from '../shell/forms';
import { Listing } from '../shell/listing';
import { useAction, useGet } from '../shell/load';
import { Card, Problem, Status, Time } from '../shell/parts';
import { api, user } from '../shell/session';

/** The password of the user who is signed in. */
export function Password() {
  const action = useAction();
  const submit = async ({ current = '', new: next = '' }: Readonly<Record<string, string>>, form: HTMLFormElement) => {
    const done = await action.run(() => api('PUT /v1/auth/password', { body: { current, new: next } }));
    if (!done) return;
    form.reset();
    say(`Password changed; ${plural(done.sessions_ended, 'other session')} ended.`);
  };
  return (
    <Card title="Password">
      <Form text="Change password" action={action} submit={submit}>
        <input name="username" autocomplete="username" value={user.value?.name} hidden readOnly />
        <InputField label="Current password" name="current" type="password" autocomplete="current-password" required />
        <InputField
          label="New password"
          hint="It signs you out everywhere else. Application passwords stay valid."
          name="new"
          type="password"
          autocomplete="new-password"
          required
        />
      </Form>
    </Card>
  );
}

/** Where the user is signed in. */
export function Sessions() {
  const sessions = useGet('GET /v1/auth/sessions');
  const action = useAction();
  return (
    <Card title="Where you are signed in" flush>
      <Problem failure={action.failure} />
      <Listing
        of={sessions}
        rows={(data) => data.sessions}
        columns={[
          { title: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Address', cell: ({ address }) => address },
          {
            title: 'Browser',
            cell: ({ user_agent }) => <span title={user_agent ?? ''}>{browserText(user_agent)}</span>,
          },
          {
            title: 'Sign out',
            cell: ({ id, address, current }) =>
              current ? (
                <Status value="here" label="This one" tone="info" />
              ) : (
                <Act
                  text="Sign out"
                  class="small"
                  label={`Sign out the session from ${address}`}
                  action={action}
                  work={() => api('DELETE /v1/auth/sessions/{id}', { params: { id } })}
                  done="Signed out"
                  then={sessions.reload}
                />
              ),
          },
        ]}
        empty={{ title: 'No sessions' }}
      />
    </Card>
  );
}
