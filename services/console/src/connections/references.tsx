import { Dialog, say } from '../shell/dialogs';
import { Form, InputField, SelectField } from '../shell/forms';
import { type Action, useAction } from '../shell/load';
import { api } from '../shell/session';
import type { Connection, Gateway } from './connections-page';

const kinds = { auto: 'The order’s id or its number', id: 'The order’s id', number: 'The order’s number' } as const;
type Kind = keyof typeof kinds;
const units = { major: 'As prices are written: 49.00', minor: 'In cents: 4900 is 49.00' } as const;
type Unit = keyof typeof units;

type Reading = Pick<Connection, 'order_reference' | 'order_prefix'>;

/** How a sender names orders, with its last event as an example. */
export function ReferenceFacts({ of }: { of: Reading & Pick<Connection, 'last_reference' | 'amount_unit'> }) {
  const { order_reference, order_prefix = '', last_reference: last, amount_unit } = of;
  if (order_reference === undefined) return null;
  return (
    <>
      <dt>Orders are named by</dt>
      <dd>
        {kinds[order_reference]}
        {order_prefix !== '' && `, after “${order_prefix}”`}
        {last && (
          <p class="soft">
            Last event named {last.value} ({last.from}): read as {[...last.read_as].reverse().join(' or ')}
          </p>
        )}
      </dd>
      {amount_unit && (
        <>
          <dt>Amounts</dt>
          <dd>{units[amount_unit]}</dd>
        </>
      )}
    </>
  );
}

type ReferenceFieldsProps = {
  readonly of: Reading;
  /** Those that the environment sets. */
  readonly fixed?: Gateway['set_by_environment'];
  readonly problem: Action['problem'];
};

/** The controls of how a sender names orders. */
export function ReferenceFields({ of, fixed = [], problem }: ReferenceFieldsProps) {
  const byEnvironment = (field: 'order_reference' | 'order_prefix', otherwise: string) =>
    fixed.includes(field) ? 'Set by the environment of the service, which wins.' : otherwise;
  return (
    <>
      <SelectField
        label="Its events name an order by"
        hint={byEnvironment(
          'order_reference',
          'Where the id of one order is the number of another, nothing is moved until you choose one of the two.',
        )}
        options={kinds}
        chosen={of.order_reference ?? 'auto'}
        name="order_reference"
        disabled={fixed.includes('order_reference')}
      />
      <InputField
        label="Text before the order"
        hint={byEnvironment('order_prefix', 'For example SHOP-; empty stands for WC-, which PayPal’s plugin writes.')}
        problem={problem('order_prefix')}
        name="order_prefix"
        defaultValue={of.order_prefix ?? ''}
        maxLength={32}
        autocomplete="off"
        disabled={fixed.includes('order_prefix')}
      />
    </>
  );
}

/** In what a sender's amounts are. */
export function AmountUnit({ of = 'major' }: { of?: Unit | undefined }) {
  return <SelectField label="Its amounts are written" options={units} chosen={of} name="amount_unit" />;
}

/** What a form with these controls says; a control that is disabled says nothing. */
export function referencesOf(form: FormData): { order_reference?: Kind; order_prefix?: string; amount_unit?: Unit } {
  const given = ['order_reference', 'order_prefix', 'amount_unit'].filter((name) => form.has(name));
  return Object.fromEntries(given.map((name) => [name, String(form.get(name)).trim()]));
}

type DialogProps = {
  readonly title: string;
  readonly connection?: Connection;
  readonly gateway?: Gateway;
  readonly close: () => void;
  readonly done: () => Promise<void>;
};

/** Changes how the events of a gateway or a connection are read. */
export function ReferenceDialog({ title, connection, gateway, close, done }: DialogProps) {
  const action = useAction();
  const { run, problem } = action;
  const save = (form: FormData) => {
    const body = referencesOf(form);
    if (gateway)
      return run(() => api('PUT /v1/webhooks/gateways/{gateway}', { params: { gateway: gateway.name }, body }));
    const { success: _before, ...paths } = connection?.paths ?? {};
    const success = String(form.get('success') ?? '').trim();
    const all = { ...body, paths: success === '' ? paths : { ...paths, success } };
    return run(() => api('PUT /v1/webhooks/{name}', { params: { name: connection?.name ?? '' }, body: all }));
  };
  const submit = async (form: FormData) => {
    if (!(await save(form))) return;
    say('Saved. It applies to events from now on; replays find orders the new way too.');
    close();
    await done();
  };
  return (
    <Dialog title={`How events of ${title} are read`} close={close}>
      <Form text="Save" action={action} submit={submit} close={close} besides>
        <ReferenceFields of={connection ?? gateway ?? {}} fixed={gateway?.set_by_environment} problem={problem} />
        {connection && (
          <>
            <AmountUnit of={connection.amount_unit} />
            <InputField
              label="Where an event says that it failed"
              hint="Path of a field that is false when nothing was paid, for example /data/success. Empty: a field named success."
              problem={problem('paths.success')}
              name="success"
              defaultValue={connection.paths.success ?? ''}
              autocomplete="off"
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}
