import { useState } from 'preact/hooks';
import { say } from '../shell/dialogs';
import { plural } from '../shell/format';
import { useAction } from '../shell/load';
import { Button, Card, Problem, Status } from '../shell/parts';
import { api } from '../shell/session';
import type { Gateway } from './connections-page';
import { SenderFacts, Warnings } from './facts';
import { Held } from './held';
import { ReferenceDialog, ReferenceFacts } from './references';
import { RotateSecret } from './rotate-secret';
import { Secrets } from './secrets';
import { TestEvent } from './test-event';

/** A gateway: its address, what it needs, a test, a pause. */
export function GatewayCard({ gateway, reload }: { gateway: Gateway; reload: () => Promise<void> }) {
  const { name, display_name, description, status, status_reason, webhook_url, secrets } = gateway;
  const [open, setOpen] = useState<'rotate' | 'test' | 'reading'>();
  const close = () => setOpen(undefined);
  const { busy, failure, run } = useAction();
  const paused = status === 'paused';
  const pause = async () => {
    const done = await run(() =>
      api('PUT /v1/webhooks/gateways/{gateway}', { params: { gateway: name }, body: { paused: !paused } }),
    );
    if (!done) return;
    say(
      paused
        ? `${display_name} is resumed; ${plural(done.released ?? 0, 'held event')} released.`
        : `${display_name} is paused: what arrives is held.`,
    );
    await reload();
  };
  const actions = (
    <>
      {gateway.supports_testing && status !== 'inactive' && (
        <Button text="Send a test event" class="small" act={() => setOpen('test')} />
      )}
      {secrets && <Button text="New secret" class="small" act={() => setOpen('rotate')} />}
      {gateway.order_reference !== undefined && <Button text="Orders" class="small" act={() => setOpen('reading')} />}
      {status !== 'inactive' && <Button text={paused ? 'Resume' : 'Pause'} class="small" disabled={busy} act={pause} />}
    </>
  );
  return (
    <Card
      title={
        <>
          {display_name} <Status value={status} />
        </>
      }
      actions={actions}
    >
      <div class="stack">
        <p class="soft">{description}</p>
        {status_reason !== null && <p class="note warn">{status_reason}</p>}
        {paused && <Held gateway={name} />}
        <Warnings of={gateway} />
        <Problem failure={failure} />
        <SenderFacts url={webhook_url} of={gateway}>
          {secrets && <Secrets name={name} secrets={secrets} reload={reload} />}
          <ReferenceFacts of={gateway} />
        </SenderFacts>
      </div>
      {open === 'rotate' && secrets && <RotateSecret name={name} secrets={secrets} close={close} done={reload} />}
      {open === 'reading' && <ReferenceDialog title={display_name} gateway={gateway} close={close} done={reload} />}
      {open === 'test' && <TestEvent gateway={gateway} close={close} />}
    </Card>
  );
}
