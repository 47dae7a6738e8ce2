import { useState } from 'preact/hooks';
import { showSecret } from '../shell/act';
import { open } from '../shell/dialogs';
import { FormDialog, InputField, SelectField } from '../shell/forms';
import { useGet } from '../shell/load';
import { Button, Card, Empty, Extended, Page, Shown } from '../shell/parts';
import { api, type Body } from '../shell/session';
import { AmountUnit, ReferenceFields, referencesOf } from './references';
import { methods, ofConnection, ofGateway, SenderCard } from './sender-card';

export type Connection = Body<'GET /v1/webhooks'>['connections'][number];
export type Gateway = Body<'GET /v1/webhooks/gateways'>['gateways'][string];

/** Who sends webhooks: gateways, and senders with an address and a secret of their own. */
export function ConnectionsPage() {
  const gateways = useGet('GET /v1/webhooks/gateways');
  const senders = useGet('GET /v1/webhooks');
  const add = () => open(<NewConnection done={senders.reload} />);
  const locked = senders.failure?.code === 'svc_licence_required';
  const generic = gateways.data?.gateways.generic;
  return (
    <Page
      title="Connections"
      stack
      sub="Gateways and services that send webhooks."
      actions={senders.data && <Button text="New sender" class="main" act={add} />}
    >
      <h2>Senders</h2>
      {locked ? (
        <Extended text="It adds senders with an address and a secret of their own." />
      ) : (
        <Shown of={senders} rows={3}>
          {({ connections }) =>
            connections.length === 0 ? (
              <Card flush>
                <Empty title="No sender of your own yet">
                  <p>A warehouse, a bank or a script can send events to its own address, with its own secret.</p>
                  <p class="buttons">
                    <Button text="Add the first one" act={add} />
                  </p>
                </Empty>
              </Card>
            ) : (
              connections.map((one) => (
                <SenderCard key={one.id} sender={ofConnection(one, generic)} reload={senders.reload} />
              ))
            )
          }
        </Shown>
      )}
      <h2>Gateways</h2>
      <Shown of={gateways} rows={8}>
        {({ gateways: found }) =>
          Object.values(found).map((one) => (
            <SenderCard key={one.name} sender={ofGateway(one)} reload={gateways.reload} />
          ))
        }
      </Shown>
    </Page>
  );
}

type Method = keyof typeof methods;

/** A sender with an address and a secret of its own. */
function NewConnection({ done }: { done: () => Promise<void> }) {
  const [method, setMethod] = useState<Method>('hmac');
  return (
    <FormDialog
      title="New sender"
      text="Create"
      besides
      work={(fields) => {
        const { name = '', secret = '' } = fields;
        const body = { name, auth_method: method, ...referencesOf(fields), ...(secret !== '' && { secret }) };
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
      {method !== 'none' && (
        <InputField
          label="Secret"
          hint="Leave it empty to have one generated."
          name="secret"
          type="password"
          autocomplete="off"
        />
      )}
      <AmountUnit />
      <ReferenceFields of={{}} />
    </FormDialog>
  );
}
