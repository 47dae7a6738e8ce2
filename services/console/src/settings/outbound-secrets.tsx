import { useState } from 'preact/hooks';
import { Delete } from '../shell/act';
import { ask } from '../shell/dialogs';
import { Form, InputField } from '../shell/forms';
import { Listing } from '../shell/listing';
import { useAction, useGet } from '../shell/load';
import { Card, Extended } from '../shell/parts';
import { SecretOnce } from '../shell/secret-once';
import { api } from '../shell/session';

/** Secrets that sign the webhooks which rules send. */
export function Outbound() {
  const secrets = useGet('GET /v1/secrets');
  const [made, setMade] = useState<string>();
  const action = useAction();
  const submit = async ({ name = '' }: Readonly<Record<string, string>>, form: HTMLFormElement) => {
    if (secrets.data?.secrets.some((secret) => secret.name === name)) {
      const text = 'Receivers that only know the old secret refuse webhooks signed with the new one.';
      if (!(await ask({ title: `Replace ${name}?`, text, confirm: 'Replace', danger: true }))) return;
    }
    const done = await action.run(() => api('PUT /v1/secrets/{name}', { params: { name }, body: {} }));
    if (!done) return;
    form.reset();
    if (done.value !== null) setMade(done.value);
    await secrets.reload();
  };
  if (secrets.failure?.code === 'svc_licence_required') return <Extended text={secrets.failure.message} />;
  return (
    <>
      <Card title="New outbound secret">
        <Form text="Create" action={action} submit={submit}>
          <InputField
            label="Name"
            hint="The action “Send webhook” refers to it by this name. An existing name gets a new secret."
            name="name"
            required
            maxLength={100}
            autocomplete="off"
          />
        </Form>
      </Card>
      <Card title="Outbound secrets" flush>
        <Listing
          of={secrets}
          rows={(data) => data.secrets}
          folds={false}
          columns={[
            { title: 'Name', cell: ({ name }) => name },
            { title: 'Ends in', cell: ({ last4 }) => <code>{last4}</code> },
            {
              title: 'Delete',
              cell: ({ name }) => (
                <Delete
                  name={name}
                  effect="Rules that use it can no longer send their webhooks."
                  action={action}
                  work={() => api('DELETE /v1/secrets/{name}', { params: { name } })}
                  then={secrets.reload}
                />
              ),
            },
          ]}
          empty={{ title: 'No outbound secrets yet' }}
        />
      </Card>
      {made !== undefined && <SecretOnce title="The secret" secret={made} close={() => setMade(undefined)} />}
    </>
  );
}
