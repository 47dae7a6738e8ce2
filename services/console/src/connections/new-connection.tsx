import { useState } from 'preact/hooks';
import { Dialog, say } from '../shell/dialogs';
import { InputField, SelectField } from '../shell/forms';
import { useAction } from '../shell/load';
import { Button, Problem } from '../shell/parts';
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
  const { busy, failure, run } = useAction();
  const problem = (path: string) => failure?.violations.find((violation) => violation.path === path)?.message;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
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
      <form class="form" onSubmit={(event) => void submit(event)}>
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
        <ReferenceFields of={{}} failure={failure} />
        <Problem failure={failure && { ...failure, violations: [] }} />
        <p class="buttons">
          <button type="submit" class="main" disabled={busy}>
            Make it
          </button>
          <Button text="Cancel" act={close} />
        </p>
      </form>
    </Dialog>
  );
}
