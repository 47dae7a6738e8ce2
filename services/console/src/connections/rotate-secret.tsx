import { useState } from 'preact/hooks';
import { say } from '../shell/dialogs';
import { Check, FormDialog, InputField } from '../shell/forms';
import { useAction } from '../shell/load';
import { SecretOnce } from '../shell/secret-once';
import { api } from '../shell/session';
import type { SenderSecret } from './secrets';

type RotateProps = {
  /** A gateway or a connection. */
  readonly name: string;
  readonly secrets: readonly SenderSecret[];
  readonly close: () => void;
  readonly done: () => Promise<void>;
};

/** A new secret; the old ones stay valid for a while, so that no webhook is lost while the sender changes its own. */
export function RotateSecret({ name, secrets, close, done }: RotateProps) {
  const [made, setMade] = useState<string>();
  const action = useAction();
  const submit = async ({ secret = '', overlap = '', environment }: Readonly<Record<string, string>>) => {
    const body = {
      overlap_hours: overlap === '' ? null : Number(overlap),
      ...(secret !== '' && { secret }),
      ...(environment !== undefined && { include_environment: true }),
    };
    const params = { gateway: name };
    const answer = await action.run(() => api('POST /v1/webhooks/gateways/{gateway}/secrets', { params, body }));
    if (!answer) return;
    await done();
    if (answer.secret !== null) {
      setMade(answer.secret);
      return;
    }
    say('The new secret is valid from now on');
    close();
  };
  if (made !== undefined) return <SecretOnce title={`The new secret of ${name}`} secret={made} close={close} />;
  return (
    <FormDialog title={`New secret for ${name}`} text="Rotate secret" action={action} submit={submit} close={close}>
      <InputField
        label="Keep old secrets valid for (hours)"
        hint="0 ends them at once. Leave it empty to keep them as they are."
        name="overlap"
        type="number"
        min={0}
        max={8760}
        step="any"
        value={24}
      />
      {secrets.some(({ source }) => source === 'environment') && (
        <Check label="End the secrets set in the environment too" name="environment" defaultChecked />
      )}
      <InputField
        label="New secret"
        hint="Paste the sender’s secret, or leave it empty to have one generated."
        name="secret"
        type="password"
        autocomplete="off"
      />
    </FormDialog>
  );
}
