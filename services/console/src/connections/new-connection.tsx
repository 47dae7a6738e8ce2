import { useState } from 'preact/hooks';
import { say } from '../shell/dialogs';
import { FormDialog, InputField, SelectField } from '../shell/forms';
import { useAction } from '../shell/load';
import { SecretOnce } from '../shell/secret-once';
import { api } from '../shell/session';
import { AmountUnit, ReferenceFields, referencesOf } from './references';
import { methods } from './sender-card';

type Method = keyof typeof methods;

/** A sender with an address and a secret of its own. */
export function NewConnection({ close, done }: { close: () => void; done: () => Promise<void> }) {
  const [method, setMethod] = useState<Method>('hmac');
  const [made, setMade] = useState<string>();
  const action = useAction();
  const { problem } = action;
  const submit = async (fields: Readonly<Record<string, string>>) => {
    const { name = '', secret = '' } = fields;
    const body = { name, auth_method: method, ...referencesOf(fields), ...(secret !== '' && { secret }) };
    const answer = await action.run(() => api('POST /v1/webhooks', { body }));
    if (!answer) return;
    await done();
    if (answer.secret === null) {
      say(`Created the sender ${name}`);
      close();
    } else setMade(answer.secret);
  };
  if (made !== undefined) return <SecretOnce title="The secret of the sender" secret={made} close={close} />;
  return (
    <FormDialog title="New sender" text="Create" action={action} submit={submit} close={close} besides>
      <InputField
        label="Name"
        hint="Part of its address: lower-case letters, digits, _ and -"
        problem={problem('name')}
        name="name"
        required
        maxLength={64}
        autocomplete="off"
      />
      <SelectField
        label="Authentication"
        options={methods}
        value={method}
        onChange={(event) => setMethod(event.currentTarget.value as Method)}
      />
      {method !== 'none' && (
        <InputField
          label="Secret"
          hint="Leave it empty to have one generated."
          problem={problem('secret')}
          name="secret"
          type="password"
          autocomplete="off"
        />
      )}
      <AmountUnit />
      <ReferenceFields of={{}} problem={problem} />
    </FormDialog>
  );
}
