import type { ComponentChildren } from 'preact';
import { Act, Copy, Delete } from '../shell/act';
import { Ago } from '../shell/ago';
import { open } from '../shell/dialogs';
import { countText, plural } from '../shell/format';
import { type Action, useAction, useGet, type Work } from '../shell/load';
import { Button, Card, Facts, Problem, Said, Status } from '../shell/parts';
import { to } from '../shell/router';
import { api } from '../shell/session';
import { Certificates } from './certificates';
import type { Preset } from './connect-sender';
import type { Connection, Gateway } from './connections-page';
import { EventTypes } from './event-types';
import methods from './methods.json';
import { PresetFacts } from './preset-facts';
import { ReadBody } from './read-body';
import { RotateSecret, Secrets, type SenderSecret } from './secrets';
import { isSigned, referenceFacts, SettingsDialog } from './sender-settings';
import { SourceFacts } from './source';
import { TestEvent } from './test-event';

/** A gateway, or a connection of one's own, as its card shows it. */
export type Sender = {
  /** In its address. */
  readonly name: string;
  readonly title: string;
  readonly state: string;
  readonly url: string;
  /** Absent where it has none. */
  readonly secrets?: readonly SenderSecret[] | undefined;
  /** The gateway whose test events it takes. */
  readonly tests?: Gateway | undefined;
  readonly paused: boolean;
  readonly pause: (paused: boolean) => ReturnType<Work<object>>;
  readonly gateway?: Gateway;
  readonly connection?: Connection;
};

/** The address for any sender, where each has a connection of its own. */
const isClosed = ({ name, permissive }: Gateway): boolean => name === 'generic' && !permissive;

export function ofGateway(gateway: Gateway): Sender {
  const { name, display_name: title, status, webhook_url: url, secrets, supports_testing } = gateway;
  const state = status === 'active' && isClosed(gateway) ? 'inactive' : status;
  const tests = supports_testing && state !== 'inactive' ? gateway : undefined;
  const pause = (paused: boolean) =>
    api('PUT /v1/webhooks/gateways/{gateway}', { params: { gateway: name }, body: { paused } });
  return { name, title, state, url, secrets, tests, paused: state === 'paused', pause, gateway };
}

export function ofConnection(connection: Connection, generic: Gateway | undefined): Sender {
  const { name, enabled, paused, url, auth_method } = connection;
  const isProved = auth_method === 'none' || connection.secrets.length > 0;
  const secrets = connection.secrets.map(({ id = '', created_at: since, expires_at: until, ...secret }) => {
    const { last4, last_used_at = null } = secret;
    return { id, last4, source: 'api' as const, since, until, last_used_at };
  });
  return {
    name,
    title: name,
    state: !enabled ? 'disabled' : paused ? 'paused' : isProved ? 'active' : 'secret_missing',
    url,
    secrets: auth_method === 'none' ? undefined : secrets,
    tests: enabled && isProved ? generic : undefined,
    paused,
    pause: (next) => api('PUT /v1/webhooks/{name}', { params: { name }, body: { paused: next } }),
    connection,
  };
}

type CardProps = {
  readonly sender: Sender;
  readonly preset?: Preset | undefined;
  readonly folded: boolean;
  readonly reload: () => Promise<void>;
};

/** A sender, where many are shown folded to what it sent: its address, its secrets and when they end, a test, and a switch to pause it. */
export function SenderCard({ sender, preset, folded, reload }: CardProps) {
  const { name, title, state, url, secrets, tests, paused, pause, gateway, connection } = sender;
  const action = useAction();
  const opens = (text: string, subject: string, dialog: ComponentChildren) => (
    <Button text={text} class="small" label={`${text} ${subject}`} act={() => open(dialog)} />
  );
  const reads = connection !== undefined || gateway?.order_reference !== undefined;
  const known = (connection ?? gateway) as Connection | Gateway;
  const { last_event_at, counts, last_refusal: refusal } = known;
  const came = {
    'Last event': <Ago at={last_event_at} />,
    Received: countsText(counts),
    'Last refusal': refusal && <Said text={`${refusal.at}: ${refusal.text}`} />,
  };
  return (
    <Card
      title={
        <>
          {title} <Status value={state} />
        </>
      }
      actions={
        <>
          {tests &&
            opens('Send a test event', `to ${title}`, <TestEvent gateway={tests} connection={connection?.name} />)}
          {secrets && opens('New secret', `for ${title}`, <RotateSecret of={sender} done={reload} />)}
          {reads && opens('Settings', `of ${title}`, <SettingsDialog {...sender} done={reload} />)}
          {reads &&
            opens('Check a payload', `of ${title}`, <ReadBody name={name} title={title} connection={connection} />)}
          {state !== 'inactive' && (
            <Act
              text={paused ? 'Resume' : 'Pause'}
              label={`${paused ? 'Resume' : 'Pause'} ${title}`}
              class="small"
              action={action}
              work={() => pause(!paused)}
              undo={() => pause(paused)}
              done={(answer) => pausedText(title, !paused, answer)}
              then={reload}
            />
          )}
          {connection && <Enabling connection={connection} action={action} reload={reload} />}
        </>
      }
      stack
    >
      {gateway && !folded && <p class="soft">{gateway.description}</p>}
      {gateway && isClosed(gateway) && <p class="soft">This address is closed. Each sender has one of its own.</p>}
      {gateway?.status_reason && <p class={state === 'inactive' ? 'note' : 'note warn'}>{gateway.status_reason}</p>}
      {secrets?.length === 0 && preset && (
        <p class="note warn">
          {`Webhooks are refused until the secret of ${preset.name} is entered. `}
          <a href={to('/connections', { connect: preset.id, sender: name })}>Enter it</a>
        </p>
      )}
      {paused && <Held gateway={gateway?.name ?? 'generic'} connection={connection?.name} />}
      {known.warnings?.map(({ text }) => (
        <p class="note warn" key={text}>
          <Said text={text} />
        </p>
      ))}
      <Problem failure={action.failure} />
      {folded && <Facts of={came} />}
      <Folded
        folded={folded}
        of={{
          Address: <Copyable text={url} of={`the address of ${title}`} />,
          Authentication: connection && methodText(connection),
          Header: isSigned(connection) && connection?.signature_path === undefined && connection?.hmac_header,
          Preset: connection?.preset && <PresetFacts connection={connection} preset={preset} done={reload} />,
          [secrets?.length === 1 ? 'Secret' : 'Secrets']: secrets && (
            <Secrets name={name} secrets={secrets} reload={reload} />
          ),
          Certificates: gateway?.webhook_id !== undefined && <Certificates done={reload} />,
          ...referenceFacts(known),
          'Event types': connection && <EventTypes connection={connection} done={reload} />,
          'Events that never arrived': gateway?.source && (state !== 'inactive' || gateway.source.connected) && (
            <SourceFacts gateway={gateway} source={gateway.source} reload={reload} />
          ),
          ...(!folded && came),
        }}
      />
    </Card>
  );
}

const methodText = ({ auth_method, algorithm = 'sha256', signature_path }: Connection): string =>
  methods[auth_method]
    .replace('SHA256', algorithm.toUpperCase())
    .replace('in a header (HMAC', signature_path === undefined ? '$&' : 'in the payload (HMAC');

function Folded({ folded, of }: Parameters<typeof Facts>[0] & { folded: boolean }) {
  if (!folded) return <Facts of={of} />;
  return (
    <details>
      <summary>Address, secrets and how it is read</summary>
      <Facts of={of} />
    </details>
  );
}

export function Copyable({ text, of }: Parameters<typeof Copy>[0]) {
  return (
    <span class="buttons">
      <code>{text}</code> <Copy text={text} of={of} />
    </span>
  );
}

const countsText = ({ accepted, duplicates, refused }: Connection['counts']): string =>
  `${countText(accepted)} accepted, ${plural(duplicates, 'duplicate')}, ${countText(refused)} refused`;

/** What a person reads when the sender is paused now, or goes on. */
export function pausedText(title: string, isPaused: boolean, { released = 0 }: { released?: number }): string {
  if (isPaused) return `${title} is paused: its events are held`;
  return `${title} is resumed; ${plural(released, 'held event')} released`;
}

type EnablingProps = { readonly connection: Connection; readonly action: Action; readonly reload: () => Promise<void> };

/** Closes the address of a connection for a while, or for ever. */
function Enabling({ connection: { name, enabled }, action, reload }: EnablingProps) {
  const params = { name };
  return (
    <>
      <Act
        text={enabled ? 'Disable' : 'Enable'}
        label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
        class="small"
        action={action}
        work={() => api('PUT /v1/webhooks/{name}', { params, body: { enabled: !enabled } })}
        undo={() => api('PUT /v1/webhooks/{name}', { params, body: { enabled } })}
        done={`${name} is ${enabled ? 'disabled' : 'enabled'}`}
        then={reload}
      />
      <Delete
        name={name}
        effect="Webhooks sent to its address are refused from then on, and its secrets are lost. Disable it instead if you may need it again."
        action={action}
        work={() => api('DELETE /v1/webhooks/{name}', { params })}
        done={({ notice }) => [`Deleted ${name}.`, notice ?? ''].join(' ').trim()}
        then={reload}
      />
    </>
  );
}

/** How many events wait until a paused sender is resumed. */
function Held({ gateway, connection }: { gateway: string; connection: string | undefined }) {
  const held = useGet('GET /v1/webhooks/events', {
    query: { gateway, ...(connection !== undefined && { connection }), state: 'held', per_page: 1 },
  });
  return (
    <p class="note warn" role="status">
      Paused: events are stored and held.{' '}
      {held.data && `${plural(held.data.pagination.total, 'event')} held until you resume it.`}
    </p>
  );
}
