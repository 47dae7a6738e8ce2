import { type Fields, FormDialog, InputField, SelectField } from '../shell/forms';
import type { Work } from '../shell/load';
import { api } from '../shell/session';
import type { Connection, Gateway } from './connections-page';
import type { Sender } from './sender-card';
import settings from './settings.json';

type Setting = { readonly label: string; readonly hint?: string; readonly options?: Readonly<Record<string, string>> };

/** How a sender names orders, with its last event as an example. */
export function referenceFacts(of: Connection | Gateway) {
  const { order_reference, order_prefix = '', last_reference: last } = of;
  if (order_reference === undefined) return {};
  const named = (
    <>
      {settings.orders.order_reference.options[order_reference]}
      {order_prefix !== '' && `, after “${order_prefix}”`}
      {last && (
        <p class="soft">
          Last event named {last.value} ({last.from}): read as {[...last.read_as].reverse().join(' or ')}
        </p>
      )}
    </>
  );
  const unit = 'amount_unit' in of && of.amount_unit;
  return { 'Order reference': named, Amounts: unit && settings.amounts.amount_unit.options[unit] };
}

type Group = keyof typeof settings;
type SettingFieldsProps = { readonly groups: readonly Group[]; readonly of?: Partial<Connection> | Gateway };

/** Controls of settings; what the environment sets cannot be changed here. */
export function SettingFields({ groups, of = {} }: SettingFieldsProps) {
  const settingOf = (name: string) =>
    name.split('.').reduce((at: unknown, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], of);
  const fixed: readonly string[] = (of as Partial<Gateway>).set_by_environment ?? [];
  const shown = groups.flatMap((group) => Object.entries<Setting>(settings[group]));
  return (
    <>
      {shown.map(([name, { label, hint, options }]) => {
        const disabled = fixed.includes(name);
        const about = disabled ? 'Set by an environment variable of the service. Change it there.' : hint;
        const value = String(settingOf(name) ?? '');
        const common = { label, name, disabled, ...(about !== undefined && { hint: about }) };
        if (options) return <SelectField key={name} {...common} options={options} chosen={value} />;
        return <InputField key={name} {...common} defaultValue={value} maxLength={1000} />;
      })}
    </>
  );
}

/** What the controls of settings say, as the service takes it; a path that is empty is gone. */
export function settingsOf(fields: Fields, before: Connection['paths'] = {}) {
  const body: Record<string, unknown> = {};
  const paths: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith('paths.')) paths[name.slice(6)] = value || undefined;
    else body[name] = value;
  }
  return Object.keys(paths).length > 0 ? { ...body, paths } : body;
}

/** Whether its signature or token comes in a header of its own. */
export const isSigned = (of: Connection | undefined): boolean =>
  of?.auth_method === 'hmac' || of?.auth_method === 'token';

type DialogProps = Pick<Sender, 'title' | 'connection' | 'gateway'> & { readonly done: () => Promise<void> };

/** Changes how webhooks of a gateway or a connection are verified and read. */
export function SettingsDialog({ title, connection, gateway, done }: DialogProps) {
  const sender: Partial<Connection> | Gateway = gateway ?? { algorithm: 'sha256', currency: '', ...connection };
  const save = async (fields: Fields): ReturnType<Work<object>> => {
    const set = Object.entries(settingsOf(fields, connection?.paths));
    const body = Object.fromEntries(set.filter(([name, value]) => value !== sender[name as keyof typeof sender]));
    if (Object.keys(body).length === 0) return { ok: true, body };
    if (gateway) return api('PUT /v1/webhooks/gateways/{gateway}', { params: { gateway: gateway.name }, body });
    return api('PUT /v1/webhooks/{name}', { params: { name: connection?.name ?? '' }, body });
  };
  const groups: Group[] = gateway?.webhook_id === undefined ? ['orders'] : ['wallet', 'orders'];
  if (connection) groups.push('amounts', ...(isSigned(connection) ? (['signature'] as const) : []), 'paths');
  return (
    <FormDialog
      title={`Settings of ${title}`}
      text="Save"
      work={save}
      done="Saved. It applies to new events and to replays."
      then={done}
    >
      <SettingFields groups={groups} of={sender} />
    </FormDialog>
  );
}
