import { useState } from 'preact/hooks';
import { Dialog, say } from '../shell/dialogs';
import { Form, InputField } from '../shell/forms';
import { useAction } from '../shell/load';
import { api } from '../shell/session';
import { SecretOnce } from './secret-once';
import type { SenderSecret } from './secrets';

type RotateProps = {
  /** A gateway or a connection. */
  readonly name: string;
  readonly secrets: readonly SenderSecret[];
  readonly close: () => void;
  readonly done: () => Promise<void>;
};

/** A new secret beside the old ones, so that the sender loses no webhook while it changes over. */
export function RotateSecret({ name, secrets, close, done }: RotateProps) {
  const [secret, setSecret] = useState<string>();
  const action = useAction();
  const { run } = action;
  const hasEnvironment = secrets.some(({ source }) => source === 'environment');
  const submit = async (form: FormData) => {
    const own = String(form.get('secret') ?? '');
    const overlap = String(form.get('overlap') ?? '');
    const body = {
      overlap_hours: overlap === '' ? null : Number(overlap),
      ...(own !== '' && { secret: own }),
      ...(form.has('environment') && { include_environment: true }),
    };
    const params = { gateway: name };
    const made = await run(() => api('POST /v1/webhooks/gateways/{gateway}/secrets', { params, body }));
    if (!made) return;
    await done();
    if (made.secret !== null) {
      setSecret(made.secret);
      return;
    }
    say('The new secret counts from now on.');
    close();
  };
  if (secret !== undefined) return <SecretOnce title={`The new secret of ${name}`} secret={secret} close={close} />;
  return (
    <Dialog title={`New secret for ${name}`} close={close}>
      <Form text="Change over" action={action} submit={submit} close={close}>
        <InputField
          label="The old ones count for"
          hint="Hours in which both are taken; 0 ends them at once; empty leaves them as they are."
          name="overlap"
          type="number"
          min={0}
          max={8760}
          step="any"
          value={24}
        />
        {hasEnvironment && (
          <label class="check">
            <input name="environment" type="checkbox" defaultChecked /> Those of the environment end as well
          </label>
        )}
        <InputField
          label="New secret"
          hint="Paste the one that the sender made, or leave it empty and one is made."
          name="secret"
          type="password"
          autocomplete="off"
        />
      </Form>
    </Dialog>
  );
}
