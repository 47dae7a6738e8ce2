import { useState } from 'preact/hooks';
import { open } from '../shell/dialogs';
import { inWords } from '../shell/format';
import { Form, InputField, SecretField } from '../shell/forms';
import { lookEvery, useEvery, useGet } from '../shell/load';
import { Button, ButtonLink, Card, Facts, Said, Shown, Time } from '../shell/parts';
import { address, place, setQuery, to } from '../shell/router';
import { api } from '../shell/session';
import { Certificates } from './certificates';
import type { Preset } from './connect-sender';
import { RotateSecret } from './secrets';
import { Copyable, ofConnection, ofGateway, type Sender } from './sender-card';
import { SettingsDialog } from './sender-settings';

/** What has to be done here and at the sender's side; the connection that was made is `sender` in the address. */
export function Setup({ preset }: { preset: Preset }) {
  const [secret, setSecret] = useState<string | null>(null);
  const { sender } = address.value.query;
  const made = (name: string, shown: string | null) => {
    setSecret(shown);
    setQuery({ sender: name });
  };
  if (preset.gateway !== undefined) return <BuiltIn preset={preset} name={preset.gateway} />;
  if (sender === undefined) return <Create preset={preset} made={made} />;
  return <Made preset={preset} name={sender} secret={secret} />;
}

type CreateProps = { readonly preset: Preset; readonly made: (name: string, secret: string | null) => void };

function Create({ preset: { id, name: title }, made }: CreateProps) {
  const senders = useGet('GET /v1/webhooks');
  return (
    <Card title="Create its address" stack>
      <p>{title} sends its events to an address that ends with this name.</p>
      <Shown of={senders} rows={2}>
        {({ connections }) => (
          <Form
            text="Create the address"
            work={({ name = '' }) => api('POST /v1/webhooks', { body: { name, preset: id } })}
            then={({ connection, secret }) => made(connection.name, secret)}
          >
            <InputField
              label="Name"
              hint="Lower-case letters, digits, _ and -"
              name="name"
              defaultValue={freeName(id, new Set(connections.map(({ name }) => name)))}
              required
              maxLength={64}
            />
          </Form>
        )}
      </Shown>
    </Card>
  );
}

function freeName(id: string, taken: ReadonlySet<string>): string {
  let name = id;
  for (let count = 2; taken.has(name); count += 1) name = `${id}-${count}`;
  return name;
}

function Made({ preset, name, secret }: { preset: Preset; name: string; secret: string | null }) {
  const found = useGet('GET /v1/webhooks/{name}', { params: { name } });
  return (
    <Shown of={found}>
      {(connection) => (
        <Ready preset={preset} sender={ofConnection(connection, undefined)} secret={secret} reload={found.reload} />
      )}
    </Shown>
  );
}

function BuiltIn({ preset, name }: { preset: Preset; name: string }) {
  const found = useGet('GET /v1/webhooks/gateways');
  return (
    <Shown of={found}>
      {({ gateways }) =>
        gateways[name] && (
          <Ready preset={preset} sender={ofGateway(gateways[name])} secret={null} reload={found.reload} />
        )
      }
    </Shown>
  );
}

type ReadyProps = {
  readonly preset: Preset;
  readonly sender: Sender;
  /** Made just now, and never shown again. */
  readonly secret: string | null;
  readonly reload: () => Promise<void>;
};

/** What to do at the sender's side, what it needs from here, and whether its first event has arrived. */
function Ready({ preset, sender, secret, reload }: ReadyProps) {
  const { name, url, gateway, connection } = sender;
  const pastes = connection !== undefined && preset.secret_from === 'sender';
  const order = preset.settings?.paths?.order?.split(' | ')[0]?.slice(1).replaceAll('/', '.');
  const isOurs = !pastes && sender.secrets !== undefined;
  const rotate = () => open(<RotateSecret of={sender} done={reload} />);
  const change = () => open(<SettingsDialog {...sender} title={preset.name} done={reload} />);
  const isWallet = gateway?.webhook_id !== undefined;
  return (
    <>
      <Card title={`At ${preset.name}`} stack>
        <Steps preset={preset} />
        <Facts
          of={{
            Address: <Copyable text={url} of={`the address of ${name}`} />,
            'Secret (shown only once)': secret !== null && <Copyable text={secret} of={`the secret of ${name}`} />,
            Secret: secret === null && isOurs && <Button text="New secret" class="small" act={rotate} />,
            'Webhook ID': isWallet && [
              `${gateway.webhook_id} `,
              <Button key="set" text="Settings" class="small" act={change} />,
            ],
            Certificates: isWallet && <Certificates done={reload} />,
            'Order number': order !== undefined && [
              'Read from ',
              <code key={order}>{order}</code>,
              '. A shop fills it in by itself; with a gateway, its plugin or your own checkout must pass it with the payment.',
            ],
          }}
        />
        {/^http:\/\/(?:localhost|127\.|\[::1\])/.test(url) && (
          <p class="note warn">
            Only programs on this computer reach this address.{' '}
            <a href={`${place.base}/docs/guide/connect-a-gateway#which-address`}>Which address senders need</a>
          </p>
        )}
        {pastes && <PasteSecret title={preset.name} name={name} done={reload} />}
        {gateway?.status_reason && <p class="note warn">{gateway.status_reason}</p>}
        {name === 'gateway_shop' && (
          <p class="note">
            <a href={to('/settings', { part: 'shop' })}>Connect the shop itself</a>, and it creates its webhooks without
            these steps.
          </p>
        )}
      </Card>
      <FirstEvent sender={sender} reload={reload} />
    </>
  );
}

function Steps({ preset: { name, steps, documentation } }: { preset: Preset }) {
  return (
    <>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a href={documentation} target="_blank" rel="noreferrer">
          {name}’s documentation
        </a>
      </p>
    </>
  );
}

function PasteSecret({ title, name, done }: { title: string; name: string; done: () => Promise<void> }) {
  return (
    <Form
      text="Save the secret"
      work={({ secret = '' }) => api('PUT /v1/webhooks/{name}', { params: { name }, body: { secret } })}
      done={`Saved. Webhooks that ${title} signs with it are accepted`}
      then={(_answer, form) => {
        form.reset();
        return done();
      }}
    >
      <SecretField
        label={`Secret of ${title}`}
        hint="Webhooks that are signed with another secret are refused."
        required
      />
    </Form>
  );
}

/** Looks until the first event is here, and says why one was refused. */
function FirstEvent({ sender: { name, gateway, connection }, reload }: Pick<ReadyProps, 'sender' | 'reload'>) {
  const query = { gateway: gateway?.name ?? 'generic', ...(connection && { connection: name }) };
  const events = useGet('GET /v1/webhooks/events', { query });
  const event = events.data?.events.find(({ is_test }) => !is_test);
  useEvery(lookEvery, () => Promise.all([events.reload(), reload()]), event === undefined);
  const refusal = (connection ?? gateway)?.last_refusal;
  const isNewer = refusal && (!event || refusal.at > event.received_at);
  return (
    <Card title="First event" stack>
      <div class="stack" role="status">
        {isNewer && (
          <p class="note bad">
            <Said text={`A webhook was refused ${refusal.at}: ${refusal.text}`} />
          </p>
        )}
        {event ? (
          <p class="note good">
            <strong>{inWords(event.generic_type ?? event.event_type)}</strong> arrived <Time at={event.received_at} />.
          </p>
        ) : (
          <p>Waiting for the first event… Send a test from the sender’s side. This page shows it when it arrives.</p>
        )}
      </div>
      {event && (
        <p>
          <ButtonLink text="See what happened" to={`/log/${event.process_id}`} class="main" />
        </p>
      )}
    </Card>
  );
}
