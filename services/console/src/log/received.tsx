import { useState } from 'preact/hooks';
import { Copy } from '../shell/copy';
import { Dialog, say } from '../shell/dialogs';
import { inWords, moneyText } from '../shell/format';
import { useAction, useLoad } from '../shell/load';
import { Button, Card, Problem, Status, Time, Waiting } from '../shell/parts';
import { go } from '../shell/router';
import { api } from '../shell/session';

/** The webhook of a process: what it said, its bytes, and again. */
export function Received({ processId }: { processId: string }) {
  const events = useLoad(
    () => api('GET /v1/webhooks/events', { query: { process_id: processId, per_page: 5 } }),
    [processId],
  );
  const event = events.data?.events[0];
  const [replaying, setReplaying] = useState(false);
  if (!event) return null;
  const finished = event.state === 'done' || event.state === 'dead';
  return (
    <>
      <Card title="The webhook">
        <div class="stack">
          <dl class="facts">
            <dt>From</dt>
            <dd>{event.connection ?? event.gateway}</dd>
            <dt>Event</dt>
            <dd>
              <code>{event.event_type}</code>
            </dd>
            {event.generic_type !== null && (
              <>
                <dt>Means</dt>
                <dd>{inWords(event.generic_type)}</dd>
              </>
            )}
            {event.amount !== null && (
              <>
                <dt>Amount</dt>
                <dd>{moneyText(event.amount, event.currency ?? '')}</dd>
              </>
            )}
            <dt>State</dt>
            <dd>
              <Status value={event.state} />
            </dd>
            {event.reason !== null && (
              <>
                <dt>Why</dt>
                <dd>{event.reason}</dd>
              </>
            )}
            <dt>Received</dt>
            <dd>
              <Time at={event.received_at} />
            </dd>
          </dl>
          <p class="buttons">{finished && <Button text="Replay" act={() => setReplaying(true)} />}</p>
          {replaying && <Replay id={event.id} close={() => setReplaying(false)} />}
        </div>
      </Card>
      <Payload id={event.id} />
    </>
  );
}

function Payload({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Card title="What it brought">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Payload and headers</summary>
        {open && <Bytes id={id} />}
      </details>
      <p>
        <small>Secrets and personal data are masked.</small>
      </p>
    </Card>
  );
}

function Bytes({ id }: { id: string }) {
  const event = useLoad(() => api('GET /v1/webhooks/events/{id}', { params: { id } }), [id]);
  if (event.failure) return <Problem failure={event.failure} />;
  if (!event.data) return <Waiting rows={6} />;
  const { payload, headers } = event.data;
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div class="stack">
      <p class="buttons">
        <Copy text={text} label="Copy the payload" />
      </p>
      <pre class="raw">{text}</pre>
      <pre class="raw">{head.join('\n')}</pre>
    </div>
  );
}

function Replay({ id, close }: { id: string; close: () => void }) {
  const { busy, failure, run } = useAction();
  const [rules, setRules] = useState<'current' | 'original'>('current');
  const send = async () => {
    const replayed = await run(() => api('POST /v1/webhooks/events/{id}/replay', { params: { id }, body: { rules } }));
    if (!replayed) return;
    close();
    say('The event is replayed.');
    await go(`/log/${replayed.process_id}`);
  };
  const choice = (value: typeof rules, text: string) => (
    <label class="check">
      <input type="radio" name="rules" checked={rules === value} onChange={() => setRules(value)} />
      {text}
    </label>
  );
  return (
    <Dialog title="Replay this event?" close={close}>
      <p>It is evaluated again. What has taken effect already does not take effect twice.</p>
      <fieldset class="form">
        <legend>With which rules</legend>
        {choice('current', 'As they are now')}
        {choice('original', 'In the versions of the first time')}
      </fieldset>
      <Problem failure={failure} />
      <p class="buttons">
        <Button text="Replay" class="main" disabled={busy} act={send} />
        <Button text="Cancel" act={close} />
      </p>
    </Dialog>
  );
}
