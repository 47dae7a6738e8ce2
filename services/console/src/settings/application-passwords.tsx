import { useState } from 'preact/hooks';
import { SecretOnce } from '../connections/secret-once';
import { DeleteButton } from '../shell/delete-button';
import { Form, InputField } from '../shell/forms';
import { useAction, useLoad } from '../shell/load';
import { Card, Empty, Shown, Table, Time } from '../shell/parts';
import { api } from '../shell/session';

/** Passwords for scripts: each is shown once. */
export function ApplicationPasswords() {
  const passwords = useLoad(() => api('GET /v1/auth/application-passwords'), []);
  const [made, setMade] = useState<string>();
  const action = useAction();
  const { run } = action;
  const submit = async (form: FormData, element: HTMLFormElement) => {
    const scope = form.get('read') === 'on' ? ('read' as const) : ('full' as const);
    const body = { name: String(form.get('name')), scope };
    const done = await run(() => api('POST /v1/auth/application-passwords', { body }));
    if (!done) return;
    element.reset();
    setMade(done.password);
    await passwords.reload();
  };
  return (
    <>
      <Card title="New application password">
        <Form text="Make it" action={action} submit={submit}>
          <InputField
            label="Name"
            hint="What it is for, such as “Stock script”"
            name="name"
            required
            maxLength={100}
            autocomplete="off"
          />
          <label class="check">
            <input type="checkbox" name="read" /> It can only read
          </label>
        </Form>
      </Card>
      <Card title="Your application passwords" flush>
        <Shown of={passwords} rows={3}>
          {({ application_passwords: list }) =>
            list.length === 0 ? (
              <Empty title="None yet." />
            ) : (
              <Table heads={['Name', 'Ends in', 'Made', 'Last used', 'Delete']}>
                {list.map(({ id, name, last4, scope, created_at, last_used_at }) => (
                  <tr key={id}>
                    <td>
                      {name} {scope === 'read' && <small>reads only</small>}
                    </td>
                    <td data-label="Ends in">
                      <code>{last4}</code>
                    </td>
                    <td data-label="Made">
                      <Time at={created_at} />
                    </td>
                    <td data-label="Last used">
                      <Time at={last_used_at} />
                    </td>
                    <td>
                      <DeleteButton
                        name={name}
                        title="Delete the application password?"
                        text={`Whatever uses “${name}” is refused from then on.`}
                        done="It is deleted."
                        work={() => api('DELETE /v1/auth/application-passwords/{id}', { params: { id } })}
                        action={action}
                        reload={passwords.reload}
                      />
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Shown>
      </Card>
      {made !== undefined && (
        <SecretOnce title="The application password" secret={made} close={() => setMade(undefined)} />
      )}
    </>
  );
}
