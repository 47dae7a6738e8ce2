import { type Fields, FormDialog, InputField, SelectField } from '../shell/forms';
import type { Work } from '../shell/load';
import { api } from '../shell/session';
import type { Connection, Gateway } from './connections-page';

const kinds = { auto: 'The order’s id or number', id: 'The order’s id', number: 'The order’s number' } as const;
const units = { major: 'As prices: 49.00', minor: 'In cents: 4900 is 49.00' } as const;

type Reading = Partial<Pick<Connection, 'order_reference' | 'order_prefix' | 'amount_unit'>>;

/** How a sender names orders, with its last event as an example. */
export function referenceFacts(of: Connection | Gateway) {
  const { order_reference, order_prefix = '', last_reference: last } = of;
  if (order_reference === undefined) return {};
  const named = (
    <>
      {kinds[order_reference]}
      {order_prefix !== '' && `, after “${order_prefix}”`}
      {last && (
        <p class="soft">
          Last event named {last.value} ({last.from}): read as {[...last.read_as].reverse().join(' or ')}
        </p>
      )}
    </>
  );
  return { 'Order reference': named, Amounts: 'amount_unit' in of && of.amount_unit && units[of.amount_unit] };
}

type ReferenceFieldsProps = {
  readonly of: Reading;
  /** Those that the environment sets. */
  readonly fixed?: Gateway['set_by_environment'];
};

export function ReferenceFields({ of, fixed = [] }: ReferenceFieldsProps) {
  const byEnvironment = (field: 'order_reference' | 'order_prefix', otherwise: string) =>
    fixed.includes(field) ? 'Set by the environment of the service, which wins.' : otherwise;
  return (
    <>
      <SelectField
        label="Its events refer to an order by"
        hint={byEnvironment(
          'order_reference',
          'If one order’s id is another order’s number, no order changes until you choose one of the two.',
        )}
        options={kinds}
        chosen={of.order_reference ?? 'auto'}
        name="order_reference"
        disabled={fixed.includes('order_reference')}
      />
      <InputField
        label="Prefix of the order reference"
        hint={byEnvironment('order_prefix', 'For example SHOP-. Empty means WC-, which PayPal’s plugin writes.')}
        name="order_prefix"
        defaultValue={of.order_prefix ?? ''}
        maxLength={32}
        disabled={fixed.includes('order_prefix')}
      />
    </>
  );
}

export function AmountUnit({ of = 'major' }: { of?: Reading['amount_unit'] }) {
  return <SelectField label="Its amounts are written" options={units} chosen={of} name="amount_unit" />;
}

export function referencesOf(fields: Fields): Reading {
  const names = ['order_reference', 'order_prefix', 'amount_unit'].filter((name) => fields[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, fields[name]?.trim()]));
}

type DialogProps = {
  readonly title: string;
  readonly connection: Connection | undefined;
  readonly gateway: Gateway | undefined;
  readonly done: () => Promise<void>;
};

/** Changes how the events of a gateway or a connection are read. */
export function ReferenceDialog({ title, connection, gateway, done }: DialogProps) {
  const save = (fields: Fields): ReturnType<Work<object>> => {
    const body = referencesOf(fields);
    if (gateway) return api('PUT /v1/webhooks/gateways/{gateway}', { params: { gateway: gateway.name }, body });
    const { success: _before, ...paths } = connection?.paths ?? {};
    const success = fields['paths.success']?.trim() ?? '';
    const all = { ...body, paths: success === '' ? paths : { ...paths, success } };
    return api('PUT /v1/webhooks/{name}', { params: { name: connection?.name ?? '' }, body: all });
  };
  return (
    <FormDialog
      title={`${connection ? 'Orders and amounts' : 'Order reference'} in events of ${title}`}
      text="Save"
      besides
      work={save}
      done="Saved. It applies to new events and to replays."
      then={done}
    >
      <ReferenceFields of={connection ?? gateway ?? {}} fixed={gateway?.set_by_environment} />
      {connection && (
        <>
          <AmountUnit of={connection.amount_unit} />
          <InputField
            label="Field that says whether the payment succeeded"
            hint="Path of a field that is false when nothing was paid, for example /data/success. Empty means a field named success."
            name="paths.success"
            defaultValue={connection.paths.success ?? ''}
          />
        </>
      )}
    </FormDialog>
  );
}
