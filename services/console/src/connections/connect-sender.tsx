import { useState } from 'preact/hooks';
import { open } from '../shell/dialogs';
import { plural } from '../shell/format';
import { InputField } from '../shell/forms';
import { useGet } from '../shell/load';
import { Button, Card, Extended, Page, Shown } from '../shell/parts';
import { go, to } from '../shell/router';
import { type Body, isExtended } from '../shell/session';
import './connections.css';
import { NewSender } from './new-sender';
import { Setup } from './setup';

export type Preset = Body<'GET /v1/webhooks/presets'>['presets'][number];

/** Chooses a sender that is known, and leads through what has to be done at its side until its first event is here. */
export function ConnectSender({ id }: { id: string }) {
  const presets = useGet('GET /v1/webhooks/presets');
  const chosen = presets.data?.presets.find((preset) => preset.id === id);
  const text = chosen ? 'All senders' : 'All connections';
  const back = <a href={to('/connections', { connect: chosen ? 'choose' : '' })}>{text}</a>;
  return (
    <Page title={chosen ? `Connect ${chosen.name}` : 'Connect a sender'} sub={back} stack>
      <Shown of={presets} rows={8}>
        {({ presets: all }) => (chosen ? <Setup key={chosen.id} preset={chosen} /> : <Choose presets={all} />)}
      </Shown>
    </Page>
  );
}

function Choose({ presets }: { presets: readonly Preset[] }) {
  const [wanted, setWanted] = useState('');
  const word = wanted.trim().toLowerCase();
  const found = presets.filter(({ id, name, search }) =>
    [id, name, ...search].some((text) => text.toLowerCase().includes(word)),
  );
  return (
    <Card stack>
      <InputField
        label="Search for your gateway, shop or service"
        type="search"
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      <p class="soft" role="status">
        {plural(found.length, 'sender')}
      </p>
      <ul class="plain senders">
        {found.map((preset) => (
          <li key={preset.id}>
            <a class="sender" href={to('/connections', { connect: preset.id })}>
              <Mark of={preset} />
              <span>
                <strong>{preset.name}</strong>
                <small>{kindOf(preset)}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <Others />
    </Card>
  );
}

/** A sender that is not in the list; the default edition has none. */
function Others() {
  if (!isExtended.value)
    return <Extended text="It connects other senders, each with an address and a secret of its own." />;
  const own = () => open(<NewSender done={() => go('/connections')} />);
  return (
    <p>
      Not in the list? <Button text="Another sender" class="small" act={own} /> gets an address and a secret as well,
      and you choose how it signs its events.
    </p>
  );
}

function kindOf({ gateway, settings }: Preset): string {
  if (gateway !== undefined) return 'Built in';
  return Object.values(settings?.types ?? {}).some((type) => type.startsWith('payment_')) ? 'Payments' : 'Any events';
}

/** A letter on a colour of its own. */
function Mark({ of: { id, name } }: { of: Preset }) {
  const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 0);
  return (
    <span class="mark" aria-hidden="true" style={{ '--mark': `hsl(${hue} 45% 30%)` }}>
      {name[0]}
    </span>
  );
}
