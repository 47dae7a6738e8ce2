import { useState } from 'preact/hooks';
import { showSecret } from '../shell/act';
import { FormDialog, InputField, SecretField, SelectField } from '../shell/forms';
import { api } from '../shell/session';
import methods from './methods.json';
import { SettingFields, settingsOf } from './sender-settings';

type Method = keyof typeof methods;

/** A sender with an address and a secret of its own. */
export function NewSender({ done }: { done: () => unknown }) {
  const [method, setMethod] = useState<Method>('hmac');
  return (
    <FormDialog
      title="New sender"
      text="Create"
      work={({ name = '', secret = '', ...fields }) => {
        const body = { name, auth_method: method, ...settingsOf(fields), ...(secret !== '' && { secret }) };
        return api('POST /v1/webhooks', { body });
      }}
      done={({ secret }, { name }) => (secret === null ? `Created the sender ${name}` : undefined)}
      then={({ secret }) => {
        if (secret !== null) showSecret('The secret of the sender', secret);
        return done();
      }}
    >
      <InputField
        label="Name"
        hint="Part of its address: lower-case letters, digits, _ and -"
        name="name"
        required
        maxLength={64}
      />
      <SelectField
        label="Authentication"
        options={methods}
        value={method}
        onChange={(event) => setMethod(event.currentTarget.value as Method)}
      />
      {method !== 'none' && <SecretField label="Secret" hint="Leave it empty to have one generated." />}
      <SettingFields groups={['amounts', 'orders']} />
    </FormDialog>
  );
}
