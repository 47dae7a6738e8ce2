import { useState } from 'preact/hooks';
import { Delete } from '../shell/act';
import { Check, Form, InputField } from '../shell/forms';
import { Listing } from '../shell/listing';
import { useAction, useGet } from '../shell/load';
import { Card, Time } from '../shell/parts';
import { SecretOnce } from '../shell/secret-once';
import { api } from '../shell/session';

/** Passwords for scripts: each is shown once. */
export function ApplicationPasswords() {
  const passwords = useGet('GET /v1/auth/application-passwords');
  const [made, setMade] = useState<string>();
  const action = useAction();
  const submit = async ({ name = '', read }: Readonly<Record<string, string>>, form: HTMLFormElement) => {
    const body = { name, scope: read === undefined ? ('full' as const) : ('read' as const) };
    const done = await action.run(() => api('POST /v1/auth/application-passwords', { body }));
    if (!done) return;
    form.reset();
    setMade(done.password);
    await passwords.reload();
  };
  return (
    <>
      <Card title="New application password">
        <Form text="Create" action={action} submit={submit}>
          <InputField
            label="Name"
            hint="What it is for, such as “Stock script”"
            name="name"
            required
            maxLength={100}
            autocomplete="off"
          />
          <Check label="Read only" name="read" />
        </Form>
      </Card>
      <Card title="Your application passwords" flush>
        <Listing
          of={passwords}
          rows={(data) => data.application_passwords}
          columns={[
            {
              title: 'Name',
              cell: ({ name, scope }) => (
                <>
                  {name} {scope === 'read' && <small>read only</small>}
                </>
              ),
            },
            { title: 'Ends in', named: true, cell: ({ last4 }) => <code>{last4}</code> },
            { title: 'Created', named: true, cell: ({ created_at }) => <Time at={created_at} /> },
            { title: 'Last used', named: true, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
            {
              title: 'Delete',
              cell: ({ id, name }) => (
                <Delete
                  name={name}
                  effect="Scripts that use this application password are refused from then on."
                  action={action}
                  work={() => api('DELETE /v1/auth/application-passwords/{id}', { params: { id } })}
                  then={passwords.reload}
                />
              ),
            },
          ]}
          empty={{ title: 'No application passwords yet' }}
        />
      </Card>
      {made !== undefined && (
        <SecretOnce title="The application password" secret={made} close={() => setMade(undefined)} />
      )}
    </>
  );
}
