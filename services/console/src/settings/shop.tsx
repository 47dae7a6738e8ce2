import { useEffect, useState } from 'preact/hooks';
import { Act } from '../shell/act';
import { open, say } from '../shell/dialogs';
import { FormDialog, InputField } from '../shell/forms';
import { useAction, useGet } from '../shell/load';
import { Button, Card, Facts, Problem, Shown, Status, Time } from '../shell/parts';
import { address, setQuery } from '../shell/router';
import { api, type Body } from '../shell/session';

type ConnectedShop = Body<'GET /v1/shop'>;
type Check = NonNullable<ConnectedShop['check']>;

const kinds = { builtin: 'Orders that are kept here', woocommerce: 'WooCommerce' } as const;

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
  const { connector, source, demonstration, problems, check } = shop;
  const isOurs = source === 'settings';
  const examine = async () => {
    const answer = await action.run(() => api('POST /v1/shop/connection/check'));
    setChecked(answer?.check ?? null);
    await reload();
  };
  const { success } = address.value.query;
  useEffect(() => {
    if (success === undefined) return;
    setQuery({ success: '', user_id: '' });
    if (success === '1' && connector === 'woocommerce') void examine();
    else say('WooCommerce sent no key. Approve the access there, or paste a key.');
  }, []);
  const refresh = async () => {
    setChecked(null);
    setLeft('');
    await reload();
  };
  return (
    <>
      <About shop={shop} />
      {connector === 'woocommerce' &&
        problems.map((text) => (
          <p key={text} class="note warn">
            {text}
          </p>
        ))}
      <Problem failure={action.failure} />
      {left !== '' && (
        <p class="note warn" role="status">
          {left}
        </p>
      )}
      <p class="buttons">
        {connector === 'woocommerce' && (
          <Button
            text={action.busy ? 'Checking…' : 'Check the shop'}
            class="main"
            disabled={action.busy}
            act={examine}
          />
        )}
        {source !== 'environment' && <ConnectButtons shop={shop} done={refresh} />}
        {isOurs && (
          <Act
            text="Disconnect"
            class="danger"
            question={{
              title: 'Disconnect the shop?',
              text: 'Rules stop acting on its orders. Our webhooks are removed from it, and its key is forgotten here. The log stays.',
              confirm: 'Disconnect',
              danger: true,
            }}
            action={action}
            work={() => api('DELETE /v1/shop/connection')}
            done="Disconnected the shop"
            then={async ({ notice }) => {
              await refresh();
              setLeft(notice);
            }}
          />
        )}
      </p>
      {demonstration && <Leaving />}
      <CheckLines check={checked ?? check} />
    </>
  );
}

function About({ shop }: { shop: ConnectedShop }) {
  const { connector, source, demonstration, address: at, key_last4, connected_at, connected_by } = shop;
  return (
    <>
      <Facts
        of={{
          'Rules act on': demonstration ? 'The demonstration shop' : kinds[connector],
          Address: at,
          Key: key_last4 !== null && <code>…{key_last4}</code>,
          Connected: connected_at !== null && (
            <>
              by {connected_by}, <Time at={connected_at} />
            </>
          ),
        }}
      />
      {source === 'environment' && (
        <p class="note">
          Set by <code>{connector === 'woocommerce' ? 'WOOCOMMERCE_URL' : 'SHOP_CONNECTOR'}</code> in the environment of
          the service. Remove <code>SHOP_CONNECTOR</code> there to connect a shop here.
        </p>
      )}
    </>
  );
}

function Leaving() {
  return (
    <p class="soft">
      Connect your shop to leave the demonstration: rules act on your orders from then on. What happened to the orders
      of the demonstration stays readable in the log.
    </p>
  );
}

function ConnectButtons({ shop, done }: { shop: ConnectedShop; done: () => Promise<void> }) {
  const isConnected = shop.connector === 'woocommerce';
  const paste = () => open(<PasteKey known={shop.address} done={done} />);
  const approve = () => open(<Approve known={shop.address} />);
  return (
    <>
      {shop.can_authorize && (
        <Button
          text={isConnected ? 'New key' : 'Connect WooCommerce'}
          class={isConnected ? undefined : 'main'}
          act={approve}
        />
      )}
      <Button
        text={shop.can_authorize ? 'Paste a key' : isConnected ? 'Change key' : 'Connect WooCommerce'}
        class={shop.can_authorize || isConnected ? undefined : 'main'}
        act={paste}
      />
    </>
  );
}

type DialogProps = { readonly known: string | null };

function ShopAddress({ known }: DialogProps) {
  return (
    <InputField
      label="Address of the shop"
      hint="As customers open it, for example https://shop.example"
      name="address"
      value={known ?? ''}
      required
      maxLength={500}
      inputMode="url"
    />
  );
}

function Approve({ known }: DialogProps) {
  return (
    <FormDialog
      title="Connect WooCommerce"
      text="Continue in WooCommerce"
      besides
      work={({ address: given = '' }) => api('POST /v1/shop/connection/authorize', { body: { address: given } })}
      then={({ authorize_url }) => location.assign(authorize_url)}
    >
      <p>Your shop asks you to sign in and approve. It then makes a key, sends it here, and brings you back.</p>
      <ShopAddress known={known} />
    </FormDialog>
  );
}

function PasteKey({ known, done }: DialogProps & { readonly done: () => Promise<void> }) {
  return (
    <FormDialog
      title="Connect WooCommerce with a key"
      text="Connect"
      busyText="Trying the key…"
      besides
      work={({ address: given = '', consumer_key = '', consumer_secret = '' }) => {
        const keys = { consumer_key: consumer_key.trim(), consumer_secret: consumer_secret.trim() };
        return api('POST /v1/shop/connection', { body: { address: given, ...keys } });
      }}
      done={({ address: at }) => `Connected ${at}`}
      then={done}
    >
      <p>
        In WooCommerce open Settings, Advanced, REST API, and add a key with the permission Read/Write for a user who is
        a shop manager.
      </p>
      <ShopAddress known={known} />
      <InputField label="Consumer key" name="consumer_key" placeholder="ck_…" required autocomplete="off" />
      <InputField
        label="Consumer secret"
        name="consumer_secret"
        type="password"
        placeholder="cs_…"
        required
        autocomplete="off"
      />
    </FormDialog>
  );
}

const words = { ok: 'Works', warning: 'Look', failed: 'Fails' } as const;
const tones = { ok: 'good', warning: 'warn', failed: 'bad' } as const;

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
            <Status value={state} label={words[state]} tone={tones[state]} /> {text}
            {cure !== null && (
              <>
                <br />
                <small>{cure}</small>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
