import { useState } from 'preact/hooks';
import { Dialog, say } from '../shell/dialogs';
import { Form, InputField, SelectField } from '../shell/forms';
import { useAction } from '../shell/load';
import { api } from '../shell/session';
import { AmountUnit, ReferenceFields, referencesOf } from './references';
import { SecretOnce } from './secret-once';

const methods = {
  hmac: 'A signature (HMAC-SHA256) in a header',
  standard_webhooks: 'Standard Webhooks',
  bearer: 'A bearer token',
  none: 'Nothing: anybody who knows the address',
} as const;
type Method = keyof typeof methods;

/** A sender with an address and a secret of its own. */
export function NewConnection({ close, done }: { close: () => void; done: () => Promise<void> }) {
  const [method, setMethod] = useState<Method>('hmac');
  const [secret, setSecret] = useState<string>();
  const action = useAction();
  const { run, problem } = action;
  const submit = async (form: FormData) => {
    const own = String(form.get('secret') ?? '');
    const body = {
      name: String(form.get('name')),
      auth_method: method,
      ...referencesOf(form),
      ...(own !== '' && { secret: own }),
    };
    const made = await run(() => api('POST /v1/webhooks', { body }));
    if (!made) return;
    await done();
    if (made.secret === null) {
      say('The sender is made.');
      close();
    } else setSecret(made.secret);
  };
  if (secret !== undefined) return <SecretOnce title="The secret of the sender" secret={secret} close={close} />;
  return (
    <Dialog title="New sender" close={close}>
      <Form text="Make it" action={action} submit={submit} close={close} besides>
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
          label="How it proves itself"
          options={methods}
          value={method}
          onChange={(event) => setMethod(event.currentTarget.value as Method)}
        />
        {method !== 'none' && (
          <InputField
            label="Secret"
            hint="Leave it empty and one is made."
            problem={problem('secret')}
            name="secret"
            type="password"
            autocomplete="off"
          />
        )}
        <AmountUnit />
        <ReferenceFields of={{}} problem={problem} />
      </Form>
    </Dialog>
  );
}
