import { Removables } from '../shell/act';
import { open } from '../shell/dialogs';
import { Field, FormDialog, InputField } from '../shell/forms';
import { useGet } from '../shell/load';
import { Button, Said, Shown } from '../shell/parts';
import { api } from '../shell/session';

/** Certificates that the wallet signs with, and a way to load one. */
export function Certificates({ done }: { done: () => Promise<void> }) {
  const list = useGet('GET /v1/webhooks/certificates');
  const reload = () => Promise.all([list.reload(), done()]);
  const load = <Button text="Load a certificate" class="small" act={() => open(<Load done={reload} />)} />;
  return (
    <Shown of={list} rows={1}>
      {({ certificates }) => {
        const of = certificates.map(({ id, valid_to, problem, source }) => {
          const shown = <Said text={`${id}, valid until ${valid_to}${problem === null ? '' : `: ${problem}`}`} />;
          const work = () => api('DELETE /v1/webhooks/certificates/{id}', { params: { id } });
          const effect = 'Webhooks that are signed with it are refused from now on.';
          return { id, shown, name: id, effect, label: `Remove ${id}`, ...(source === 'loaded' && { work }) };
        });
        return [<Removables key="list" of={of} then={reload} />, load];
      }}
    </Shown>
  );
}

const where = 'Open https://api.paypal.com/v1/notifications/certs/ with the name behind it, and paste what it shows.';

function Load({ done }: { done: () => unknown }) {
  return (
    <FormDialog
      title="Load a certificate of PayPal"
      text="Load"
      work={({ id = '', pem = '' }) => api('POST /v1/webhooks/certificates', { body: { id, pem } })}
      done={({ problem }) => (problem === null ? 'The certificate is loaded' : `It is loaded, but ${problem}`)}
      then={done}
    >
      <InputField label="Name" hint="A webhook that was refused names it: CERT-…" name="id" required maxLength={200} />
      <Field label="Certificate" name="pem" hint={where}>
        {(control) => <textarea {...control} name="pem" rows={8} required maxLength={100_000} />}
      </Field>
    </FormDialog>
  );
}
