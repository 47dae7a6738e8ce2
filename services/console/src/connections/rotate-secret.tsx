import { useState } from 'preact/hooks';
import { Dialog, say } from '../shell/dialogs';
import { useAction } from '../shell/load';
import { Field, Problem } from '../shell/parts';
import { api } from '../shell/session';
import { SecretOnce } from './secret-once';

type RotateProps = { readonly name: string; readonly close: () => void; readonly done: () => Promise<void> };

/** A new secret beside the old one, so that the sender loses no webhook while it changes over. */
export function RotateSecret({ name, close, done }: RotateProps) {
  const [secret, setSecret] = useState<string>();
  const { busy, failure, run } = useAction();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const own = String(form.get('secret') ?? '');
    const body = { overlap_hours: Number(form.get('overlap')), ...(own !== '' && { secret: own }) };
    const made = await run(() => api('POST /v1/webhooks/{name}/rotate-secret', { params: { name }, body }));
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
      <form class="form" onSubmit={(event) => void submit(event)}>
        <Field label="The old one counts for" hint="Hours in which both are taken; 0 ends it at once.">
          {(control) => (
            <input {...control} name="overlap" type="number" min={0} max={8760} step="any" value={24} required />
          )}
        </Field>
        <Field label="New secret" hint="Leave it empty and one is made.">
          {(control) => <input {...control} name="secret" type="password" autocomplete="off" />}
        </Field>
        <Problem failure={failure} />
        <p class="buttons">
          <button type="submit" class="main" disabled={busy}>
            Change over
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
