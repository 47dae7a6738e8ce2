import { Act, Delete, showSecret } from '../shell/act';
import { ask } from '../shell/dialogs';
import { browserText, plural } from '../shell/format';
import { Check, type Fields, Form, InputField } from '../shell/forms';
import { Listing } from '../shell/listing';
import { useAction, useGet } from '../shell/load';
import { Card, Extended, Problem, Status, Time } from '../shell/parts';
import { api, isExtended, user } from '../shell/session';

/** The password of the user who is signed in. */
export function Password() {
  return (
    <Card title="Password">
      <Form
        text="Change password"
        work={({ current = '', new: next = '' }) => api('PUT /v1/auth/password', { body: { current, new: next } })}
        done={({ sessions_ended: ended }) =>
          `Password changed${ended > 0 ? `; ${plural(ended, 'other session')} ended` : ''}`
        }
        then={(_, form) => form.reset()}
      >
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

export function Sessions() {
  const sessions = useGet('GET /v1/auth/sessions');
  const action = useAction();
  return (
    <Card title="Where you are signed in" flush>
      <Problem failure={action.failure} />
      <Listing
        of={sessions}
        rows={(data) => data.sessions}
        columns={{
          Since: ({ created_at }) => <Time at={created_at} />,
          Address: ({ address }) => address,
          Browser: ({ user_agent }) => <span title={user_agent ?? ''}>{browserText(user_agent)}</span>,
          'Sign out': ({ id, address, current }) =>
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
        }}
        empty={{ title: 'No sessions' }}
      />
    </Card>
  );
}

/** Passwords for scripts: each is shown once. */
export function ApplicationPasswords() {
  const passwords = useGet('GET /v1/auth/application-passwords');
  const action = useAction();
  return (
    <>
      <Card title="New application password">
        <Form
          text="Create"
          work={({ name = '', read }) => {
            const scope = read === undefined ? 'full' : 'read';
            return api('POST /v1/auth/application-passwords', { body: { name, scope } });
          }}
          then={({ password }, form) => {
            form.reset();
            showSecret('The application password', password);
            return passwords.reload();
          }}
        >
          <InputField label="Name" hint="What it is for, such as “Stock script”" name="name" required maxLength={100} />
          <Check label="Read only" name="read" />
        </Form>
      </Card>
      <Card title="Your application passwords" flush>
        <Problem failure={action.failure} />
        <Listing
          of={passwords}
          rows={(data) => data.application_passwords}
          columns={{
            Name: ({ name, scope }) => (
              <>
                {name} {scope === 'read' && <small>read only</small>}
              </>
            ),
            'Ends in': { named: true, cell: ({ last4 }) => <code>{last4}</code> },
            Created: { named: true, cell: ({ created_at }) => <Time at={created_at} /> },
            'Last used': { named: true, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
            Delete: ({ id, name }) => (
              <Delete
                name={name}
                effect="Scripts that use this application password are refused from then on."
                action={action}
                work={() => api('DELETE /v1/auth/application-passwords/{id}', { params: { id } })}
                then={passwords.reload}
              />
            ),
          }}
          empty={{ title: 'No application passwords yet' }}
        />
      </Card>
    </>
  );
}

/** Secrets that sign the webhooks which rules send. */
export function Outbound() {
  const secrets = useGet('GET /v1/secrets');
  const action = useAction();
  const replaces = async ({ name }: Fields) => {
    if (!secrets.data?.secrets.some((secret) => secret.name === name)) return true;
    const text = 'Receivers that only know the old secret refuse webhooks signed with the new one.';
    return ask({ title: `Replace ${name}?`, text, confirm: 'Replace', danger: true });
  };
  if (!isExtended.value) return <Extended text="These secrets sign the webhooks that its rules send." />;
  return (
    <>
      <Card title="New outbound secret">
        <Form
          text="Create"
          before={replaces}
          work={({ name = '' }) => api('PUT /v1/secrets/{name}', { params: { name }, body: {} })}
          then={({ value }, form) => {
            form.reset();
            if (value !== null) showSecret('The secret', value);
            return secrets.reload();
          }}
        >
          <InputField
            label="Name"
            hint="The action “Send webhook” refers to it by this name. An existing name gets a new secret."
            name="name"
            required
            maxLength={100}
          />
        </Form>
      </Card>
      <Card title="Outbound secrets" flush>
        <Problem failure={action.failure} />
        <Listing
          of={secrets}
          rows={(data) => data.secrets}
          folds={false}
          columns={{
            Name: ({ name }) => name,
            'Ends in': ({ last4 }) => <code>{last4}</code>,
            Delete: ({ name }) => (
              <Delete
                name={name}
                effect="Rules that use it can no longer send their webhooks."
                action={action}
                work={() => api('DELETE /v1/secrets/{name}', { params: { name } })}
                then={secrets.reload}
              />
            ),
          }}
          empty={{ title: 'No outbound secrets yet' }}
        />
      </Card>
    </>
  );
}
