import { useState } from 'preact/hooks';
import { SecretOnce } from '../connections/secret-once';
import { Extended } from '../rules/try-out';
import { DeleteButton } from '../shell/delete-button';
import { ask } from '../shell/dialogs';
import { Form, InputField } from '../shell/forms';
import { useAction, useLoad } from '../shell/load';
import { Card, Empty, Shown, Table } from '../shell/parts';
import { api } from '../shell/session';

/** Secrets that sign the webhooks which rules send. */
export function Outbound() {
  const secrets = useLoad(() => api('GET /v1/secrets'), []);
  const [made, setMade] = useState<string>();
  const action = useAction();
  const { run } = action;
  const submit = async (form: FormData, element: HTMLFormElement) => {
    const name = String(form.get('name'));
    const known = secrets.data?.secrets.some((secret) => secret.name === name);
    if (known) {
      const text = 'Receivers that know the old one alone refuse what is signed with the new one.';
      if (!(await ask({ title: `Replace ${name}?`, text, confirm: 'Replace', danger: true }))) return;
    }
    const done = await run(() => api('PUT /v1/secrets/{name}', { params: { name }, body: {} }));
    if (!done) return;
    element.reset();
    if (done.value !== null) setMade(done.value);
    await secrets.reload();
  };
  if (secrets.failure?.code === 'svc_licence_required') return <Extended text={secrets.failure.message} />;
  return (
    <>
      <Card title="New outbound secret">
        <Form text="Make it" action={action} submit={submit}>
          <InputField
            label="Name"
            hint="The action “Send webhook” names it. A name that is there already gets a new secret."
            name="name"
            required
            maxLength={100}
            autocomplete="off"
          />
        </Form>
      </Card>
      <Card title="Outbound secrets" flush>
        <Shown of={secrets} rows={2}>
          {({ secrets: list }) =>
            list.length === 0 ? (
              <Empty title="None yet." />
            ) : (
              <Table heads={['Name', 'Ends in', 'Delete']} folds={false}>
                {list.map(({ name, last4 }) => (
                  <tr key={name}>
                    <td>{name}</td>
                    <td>
                      <code>{last4}</code>
                    </td>
                    <td>
                      <DeleteButton
                        name={name}
                        text="Rules that name it can then not send their webhooks."
                        done={`${name} is deleted.`}
                        work={() => api('DELETE /v1/secrets/{name}', { params: { name } })}
                        action={action}
                        reload={secrets.reload}
                      />
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Shown>
      </Card>
      {made !== undefined && <SecretOnce title="The secret" secret={made} close={() => setMade(undefined)} />}
    </>
  );
}
