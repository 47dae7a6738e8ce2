import { useState } from 'preact/hooks';
import { ask, say } from '../shell/dialogs';
import { useAction } from '../shell/load';
import { Button, Card, Problem, Status } from '../shell/parts';
import { api } from '../shell/session';
import type { Connection, Gateway } from './connections-page';
import { SenderFacts, Warnings } from './facts';
import { Held } from './held';
import { ReferenceDialog, ReferenceFacts } from './references';
import { RotateSecret } from './rotate-secret';
import { Secrets, secretsOf } from './secrets';
import { TestEvent } from './test-event';

const methodText = {
  hmac: 'A signature (HMAC-SHA256)',
  standard_webhooks: 'Standard Webhooks',
  bearer: 'A bearer token',
  none: 'None: anybody who knows the address',
} as const;

type CardProps = {
  readonly connection: Connection;
  /** The gateway whose test events a sender takes. */
  readonly generic: Gateway | undefined;
  readonly reload: () => Promise<void>;
};

/** A sender: its address, its secrets with their ends, a test, a pause, an end. */
export function ConnectionCard({ connection, generic, reload }: CardProps) {
  const { name, enabled, paused, auth_method, url } = connection;
  const secrets = secretsOf(connection);
  const [open, setOpen] = useState<'rotate' | 'test' | 'reading'>();
  const { busy, failure, run } = useAction();
  const change = async (body: { paused?: boolean; enabled?: boolean }, text: string) => {
    const done = await run(() => api('PUT /v1/webhooks/{name}', { params: { name }, body }));
    if (!done) return;
    say(text);
    await reload();
  };
  const remove = async () => {
    const sure = await ask({
      title: `Delete ${name}?`,
      text: 'Webhooks for its address are refused from then on.',
      confirm: 'Delete',
      danger: true,
    });
    const deleted = sure && (await run(() => api('DELETE /v1/webhooks/{name}', { params: { name } })));
    if (!deleted) return;
    say([`${name} is deleted.`, deleted.notice ?? ''].join(' ').trim());
    await reload();
  };
  const state = !enabled ? 'disabled' : paused ? 'paused' : 'active';
  const actions = (
    <>
      {generic && enabled && <Button text="Send a test event" class="small" act={() => setOpen('test')} />}
      {auth_method !== 'none' && <Button text="New secret" class="small" act={() => setOpen('rotate')} />}
      <Button text="Orders and amounts" class="small" act={() => setOpen('reading')} />
      <Button
        text={paused ? 'Resume' : 'Pause'}
        class="small"
        disabled={busy}
        act={() => change({ paused: !paused }, paused ? `${name} goes on.` : `${name} is paused.`)}
      />
      <Button
        text={enabled ? 'Disable' : 'Enable'}
        class="small"
        disabled={busy}
        act={() => change({ enabled: !enabled }, enabled ? `${name} is disabled.` : `${name} is enabled.`)}
      />
      <Button text="Delete" class="small danger" disabled={busy} act={remove} />
    </>
  );
  return (
    <Card
      title={
        <>
          {name} <Status value={state} />
        </>
      }
      actions={actions}
    >
      <div class="stack">
        {paused && <Held gateway="generic" connection={name} />}
        <Warnings of={connection} />
        <Problem failure={failure} />
        <SenderFacts url={url} of={connection}>
          <dt>Proof</dt>
          <dd>{methodText[auth_method]}</dd>
          {auth_method !== 'none' && <Secrets name={name} secrets={secrets} reload={reload} />}
          <ReferenceFacts of={connection} />
        </SenderFacts>
      </div>
      {open === 'rotate' && (
        <RotateSecret name={name} secrets={secrets} close={() => setOpen(undefined)} done={reload} />
      )}
      {open === 'reading' && (
        <ReferenceDialog title={name} connection={connection} close={() => setOpen(undefined)} done={reload} />
      )}
      {open === 'test' && generic && <TestEvent gateway={generic} connection={name} close={() => setOpen(undefined)} />}
    </Card>
  );
}
