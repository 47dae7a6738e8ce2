import { useEffect, useState } from 'preact/hooks';
import { Act } from '../shell/act';
import { open, say } from '../shell/dialogs';
import { FormDialog, InputField } from '../shell/forms';
import { useAction, useGet, type Work } from '../shell/load';
import { Button, Card, Facts, Problem, Shown, Status, Time } from '../shell/parts';
import { address, setQuery } from '../shell/router';
import { api, type Body } from '../shell/session';

type ConnectedShop = Body<'GET /v1/shop'>;
type Check = NonNullable<ConnectedShop['check']>;

/** Which shop rules act on, and how to connect another one. */
export function Shop() {
  const shop = useGet('GET /v1/shop');
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
  const [checked, setChecked] = useState<Check | null>(null);
  const [left, setLeft] = useState('');
  const { connector, source, problems, check } = shop;
  const isConnected = connector === 'woocommerce';
  const examine = async () => {
    const answer = await action.run(() => api('POST /v1/shop/connection/check'));
    setChecked(answer?.check ?? null);
    await reload();
  };
  const { success } = address.value.query;
  useEffect(() => {
    if (success === undefined) return;
    setQuery({ success: '', user_id: '' });
    if (success === '1' && isConnected) void examine();
    else say('WooCommerce sent no key. Approve the access there, or paste a key.');
  }, []);
  const refresh = async (notice = '') => {
    setChecked(null);
    setLeft(notice);
    await reload();
  };
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
        {source !== 'environment' && (
          <Button
            text={isConnected ? 'New key' : 'Connect WooCommerce'}
            class={isConnected ? undefined : 'main'}
            act={() => open(<Connect shop={shop} done={refresh} />)}
          />
        )}
        {source === 'settings' && <Disconnect action={action} done={refresh} />}
      </p>
      <CheckLines check={checked ?? check} />
    </>
  );
}

function About({ shop }: { shop: ConnectedShop }) {
  const { connector, source, demonstration, address: at, key_last4, connected_at, connected_by } = shop;
  const kind = connector === 'woocommerce' ? 'WooCommerce' : 'Orders that are kept here';
  const connected = connected_at !== null && (
    <>
      <Time at={connected_at} /> by {connected_by}
    </>
  );
  const key = key_last4 !== null && <code>…{key_last4}</code>;
  return (
    <>
      <Facts
        of={{
          'Rules act on': demonstration ? 'The demonstration shop' : kind,
          Address: at,
          Key: key,
          Connected: connected,
        }}
      />
      {source === 'environment' && (
        <p class="note">
          The environment of the service decides which shop is used: <code>SHOP_CONNECTOR</code>. Remove it there to
          connect a shop here.
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
  const [pastes, setPastes] = useState(!can_authorize);
  return (
    <FormDialog
      title="Connect WooCommerce"
      text={pastes ? 'Connect' : 'Continue in WooCommerce'}
      busyText={pastes ? 'Trying the key…' : 'Asking…'}
      besides
      work={({ address: given = '', consumer_key = '', consumer_secret = '' }): ReturnType<Work<object>> => {
        const keys = { consumer_key: consumer_key.trim(), consumer_secret: consumer_secret.trim() };
        if (pastes) return api('POST /v1/shop/connection', { body: { address: given, ...keys } });
        return api('POST /v1/shop/connection/authorize', { body: { address: given } });
      }}
      then={(answer) => ('authorize_url' in answer ? location.assign(String(answer.authorize_url)) : done())}
    >
      <InputField
        label="Address of the shop"
        hint="As customers open it, for example https://shop.example"
        name="address"
        value={known ?? ''}
        required
        maxLength={500}
        inputMode="url"
      />
      {pastes ? (
        <>
          <p>
            In WooCommerce open Settings, Advanced, REST API, and add a key with the permission Read/Write for a user
            who is a shop manager.
          </p>
          <InputField label="Consumer key" name="consumer_key" placeholder="ck_…" required />
          <InputField label="Consumer secret" name="consumer_secret" type="password" placeholder="cs_…" required />
        </>
      ) : (
        <>
          <p>Your shop asks you to sign in and approve. It then makes a key, sends it here, and brings you back.</p>
          <p>
            <Button text="Paste a key instead" class="small" act={() => setPastes(true)} />
          </p>
        </>
      )}
    </FormDialog>
  );
}

function Disconnect({ action, done }: { action: ReturnType<typeof useAction>; done: Done }) {
  return (
    <Act
      text="Disconnect"
      class="danger"
      question={{
        title: 'Disconnect the shop?',
        text: 'Rules stop acting on its orders. Its webhooks to this service are removed, and its key is deleted here. The log stays.',
        confirm: 'Disconnect',
        danger: true,
      }}
      action={action}
      work={() => api('DELETE /v1/shop/connection')}
      done="Disconnected the shop"
      then={({ notice }) => done(notice)}
    />
  );
}

const states = { ok: ['Works', 'good'], warning: ['Look at this', 'warn'], failed: ['Fails', 'bad'] } as const;

/** What works in the shop, one line each. */
function CheckLines({ check }: { check: Check | null }) {
  if (check === null) return null;
  return (
    <div class="stack" role="status">
      <h3>
        Checked <Time at={check.at} />
      </h3>
      <ul class="plain stack">
        {check.lines.map(({ name, state, text, cure }) => (
          <li key={name}>
            <Status value={state} label={states[state][0]} tone={states[state][1]} /> {text}
            {cure !== null && <small> {cure}</small>}
          </li>
        ))}
      </ul>
    </div>
  );
}
