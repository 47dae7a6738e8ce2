import { useState } from 'preact/hooks';
import { Act, Copy } from '../shell/act';
import { close, Dialog, open } from '../shell/dialogs';
import { inWords, moneyText } from '../shell/format';
import { Check } from '../shell/forms';
import { useAction, useGet } from '../shell/load';
import { Button, Card, Facts, Problem, Raw, Shown, Status, Time } from '../shell/parts';
import { go } from '../shell/router';
import { api } from '../shell/session';

/** The webhook of a process: what it says, its bytes, and a replay. */
export function Received({ processId }: { processId: string }) {
  const events = useGet('GET /v1/webhooks/events', { query: { process_id: processId, per_page: 5 } });
  const event = events.data?.events[0];
  if (!event) return null;
  const finished = event.state === 'done' || event.state === 'dead';
  return (
    <>
      <Card title="The webhook" stack>
        <Facts
          of={{
            From: event.connection ?? event.gateway,
            Event: <code>{event.event_type}</code>,
            'Event type': event.generic_type !== null && inWords(event.generic_type),
            Amount: event.amount !== null && moneyText(event.amount, event.currency ?? ''),
            State: <Status value={event.state} />,
            Reason: event.reason,
            Received: <Time at={event.received_at} />,
          }}
        />
        {finished && (
          <p class="buttons">
            <Button text="Replay" act={() => open(<Replay id={event.id} />)} />
          </p>
        )}
      </Card>
      <Payload id={event.id} />
    </>
  );
}

function Payload({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Payload">
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
  const event = useGet('GET /v1/webhooks/events/{id}', { params: { id } });
  return (
    <Shown of={event} rows={6}>
      {({ payload, headers }) => {
        const text = typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2);
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        return (
          <div class="stack">
            <p class="buttons">
              <Copy text={text} of="the payload" />
            </p>
            <Raw text={text} />
            <Raw text={lines.join('\n')} />
          </div>
        );
      }}
    </Shown>
  );
}

const ruleChoices = { current: 'The current rules', original: 'The rules as they were then' } as const;
type RuleChoice = keyof typeof ruleChoices;

function Replay({ id }: { id: string }) {
  const action = useAction();
  const [rules, setRules] = useState<RuleChoice>('current');
  return (
    <Dialog title="Replay this event?">
      <p>It is evaluated again. Actions that were already done are not done twice.</p>
      <fieldset class="form">
        <legend>Evaluate it with</legend>
        {Object.entries(ruleChoices).map(([value, label]) => (
          <Check
            key={value}
            type="radio"
            name="rules"
            label={label}
            checked={rules === value}
            onChange={() => setRules(value as RuleChoice)}
          />
        ))}
      </fieldset>
      <Problem failure={action.failure} />
      <p class="buttons">
        <Act
          text="Replay"
          class="main"
          action={action}
          work={() => api('POST /v1/webhooks/events/{id}/replay', { params: { id }, body: { rules } })}
          done="Replaying the event..."
          then={({ process_id }) => {
            close();
            return go(`/log/${process_id}`);
          }}
        />
        <Button text="Cancel" act={close} />
      </p>
    </Dialog>
  );
}
