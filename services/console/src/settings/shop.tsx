import { useEffect, useState } from 'preact/hooks';
import { Act } from '../shell/act';
import { open, say } from '../shell/dialogs';
import { FormDialog, InputField, SecretField } from '../shell/forms';
import { type Action, useAction, useGet, type Work } from '../shell/load';
import { Button, Card, Facts, Problem, Shown, Status, Time } from '../shell/parts';
import { address, setQuery } from '../shell/router';
import { api, type Body } from '../shell/session';

type ConnectedShop = Body<'GET /v1/shop/connection'>;

/** Which shop rules act on, and how to connect another one. */
export function Shop() {
  const shop = useGet('GET /v1/shop/connection');
  return (
    <Card title="Shop" stack>
      <Shown of={shop} rows={4}>
        {(found) => <Connected shop={found} reload={shop.reload} />}
      </Shown>
    </Card>
  );
}

function Connected({ shop, reload }: { shop: ConnectedShop; reload: () => Promise<void> }) {
  const action = useAction();
  const [checked, setChecked] = useState<ConnectedShop['check']>(null);
  const [left, setLeft] = useState('');
  const { source, problems, check } = shop;
  const isConnected = shop.connector === 'woocommerce';
  const examine = async () => {
    setChecked((await action.run(() => api('POST /v1/shop/connection/check')))?.check ?? null);
    await reload();
  };
  useReturn(() => (isConnected ? examine() : undefined));
  const refresh: Done = async (notice = '') => {
    setChecked(null);
    setLeft(notice);
    await reload();
  };
  const connect = () => open(<Connect shop={shop} done={refresh} />);
  return (
    <>
      <About shop={shop} />
      {[left, ...(isConnected ? problems : [])].filter(Boolean).map((text) => (
        <p key={text} class="note warn" role="status">
          {text}
        </p>
      ))}
      <Problem failure={action.failure} />
      <p class="buttons">
        {isConnected && (
          <Button text={action.busy ? 'Checking…' : 'Check the shop'} disabled={action.busy} act={examine} />
        )}
        {isConnected && source === 'settings' && <Button text="New key" act={connect} />}
        {source === 'default' && <Button text="Connect WooCommerce" class="main" act={connect} />}
        {source === 'settings' && <Disconnect action={action} done={refresh} />}
      </p>
      <CheckLines check={checked ?? check} />
    </>
  );
}

/** Somebody comes back from the shop that was asked for a key. */
function useReturn(approved: () => unknown): void {
  const { success } = address.value.query;
  useEffect(() => {
    if (success === undefined) return;
    setQuery({ success: '', user_id: '' });
    if (success !== '1' || approved() === undefined)
      say('WooCommerce sent no key. Approve the access there, or paste a key.');
  }, []);
}

function About({ shop }: { shop: ConnectedShop }) {
  const { connector, source, demonstration, address: at, key_last4: key, connected_at, connected_by } = shop;
  const orders = connector === 'woocommerce' ? 'The orders of your WooCommerce shop' : 'Orders that are kept here';
  const connected = connected_at !== null && [<Time key="at" at={connected_at} />, ` by ${connected_by}`];
  return (
    <>
      <Facts
        of={{
          'Rules act on': demonstration ? 'The demonstration shop' : orders,
          Address: at,
          Key: key !== null && <code>…{key}</code>,
          Connected: connected,
        }}
      />
      {source === 'environment' && (
        <p class="note">
          An environment variable of the service decides which shop is used: <code>SHOP_CONNECTOR</code>. Remove it
          there to connect a shop here.
        </p>
      )}
      {demonstration && source === 'default' && (
        <p class="soft">
          Connect your shop to leave the demonstration: from then on rules act on your orders. The log keeps what
          happened to the orders of the demonstration.
        </p>
      )}
    </>
  );
}

type Done = (notice?: string) => Promise<void>;

/** The shop makes the key where it can send it here; a key that a person made is pasted. */
function Connect({ shop: { can_authorize, address: known }, done }: { shop: ConnectedShop; done: Done }) {
  return (
    <FormDialog
      title="Connect WooCommerce"
      text="Connect"
      busyText="Connecting…"
      work={({ address: given = '', consumer_key = '', consumer_secret = '' }): ReturnType<Work<object>> =>
        can_authorize && consumer_key === ''
          ? api('POST /v1/shop/connection/authorize', { body: { address: given } })
          : api('PUT /v1/shop/connection', { body: { address: given, consumer_key, consumer_secret } })
      }
      then={(answer) => ('authorize_url' in answer ? location.assign(String(answer.authorize_url)) : done())}
    >
      <InputField
        label="Address of the shop"
        hint="As customers open it, for example https://shop.example"
        name="address"
        defaultValue={known ?? ''}
        required
        inputMode="url"
      />
      {can_authorize && (
        <p>Your shop asks you to sign in and approve. It then makes a key, sends it here, and brings you back.</p>
      )}
      <details open={!can_authorize}>
        <summary>Paste a key{can_authorize && ' instead'}</summary>
        <div class="stack">
          <p>
            In WooCommerce open Settings, Advanced, REST API, and add a key with the permission Read/Write for a user
            who is a shop manager.
          </p>
          <InputField label="Consumer key" name="consumer_key" autocomplete="off" />
          <SecretField label="Consumer secret" name="consumer_secret" />
        </div>
      </details>
    </FormDialog>
  );
}

function Disconnect({ action, done }: { action: Action; done: Done }) {
  const text =
    'Rules stop acting on its orders. Its webhooks to this service are removed, and its key is deleted here. The log stays.';
  return (
    <Act
      text="Disconnect"
      class="danger"
      question={{ title: 'Disconnect the shop?', text, confirm: 'Disconnect', danger: true }}
      action={action}
      work={() => api('DELETE /v1/shop/connection')}
      done="Disconnected the shop"
      then={({ notice }) => done(notice)}
    />
  );
}

const states = { failed: ['Fails', 'bad'], warning: ['Look at this', 'warn'], ok: ['Works', 'good'] } as const;

/** What works in the shop, one line each; what does not comes first. */
function CheckLines({ check }: Pick<ConnectedShop, 'check'>) {
  if (check === null) return null;
  const order = Object.keys(states);
  const lines = [...check.lines].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <div class="stack" role="status">
      <h3>
        Checked <Time at={check.at} />
      </h3>
      <ul class="plain stack">
        {lines.map(({ name, state, text, cure }) => (
          <li key={name}>
            <Status value={state} label={states[state][0]} tone={states[state][1]} /> {text} <small>{cure}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
