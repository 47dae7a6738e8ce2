import { useState } from 'preact/hooks';
import { SecretOnce } from '../connections/secret-once';
import { Extended } from '../rules/try-out';
import { DeleteButton } from '../shell/delete-button';
import { ask } from '../shell/dialogs';
import { InputField } from '../shell/forms';
import { useAction, useLoad } from '../shell/load';
import { Card, Empty, Problem, Shown, Table } from '../shell/parts';
import { api } from '../shell/session';

/** Secrets that sign the webhooks which rules send. */
export function Outbound() {
  const secrets = useLoad(() => api('GET /v1/secrets'), []);
  const [made, setMade] = useState<string>();
  const action = useAction();
  const { busy, failure, run } = action;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const element = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(element).get('name'));
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
        <form class="form" onSubmit={(event) => void submit(event)}>
          <InputField
            label="Name"
            hint="The action “Send webhook” names it. A name that is there already gets a new secret."
            name="name"
            required
            maxLength={100}
            autocomplete="off"
          />
          <Problem failure={failure} />
          <p class="buttons">
            <button type="submit" class="main" disabled={busy}>
              Make it
            </button>
          </p>
        </form>
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
