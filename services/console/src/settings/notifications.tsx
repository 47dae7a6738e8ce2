import { useState } from 'preact/hooks';
import { Act, Delete } from '../shell/act';
import { say } from '../shell/dialogs';
import { inWords } from '../shell/format';
import { Check, FormDialog, InputField, SelectField } from '../shell/forms';
import { useAction, useGet } from '../shell/load';
import { Button, Card, Empty, Problem, Shown, Status, Time } from '../shell/parts';
import { api, type Body } from '../shell/session';

type Notification = Body<'GET /v1/notifications'>['notifications'][number];
type Kind = Notification['kind'];
type Cause = Notification['causes'][number];

const causes: Readonly<Record<Cause, string>> = {
  dead_letter: 'An event was given up',
  delivery_failed: 'A delivery was given up',
  deliveries_stuck: 'Deliveries are stuck for ten minutes',
  sender_refused: 'A sender is refused repeatedly',
  oldest_unfinished: 'An event takes longer than ten minutes',
  verify_failed: 'The log fails verification',
  ends_soon: 'A secret, certificate or licence expires soon',
};
const kinds: Readonly<Record<Kind, string>> = {
  email: 'E-mail',
  webhook: 'Webhook',
  heartbeat: 'Heartbeat: called every minute while all is well',
};

/** E-mails and webhooks that say when something needs a person. */
export function Notifications() {
  const list = useGet('GET /v1/notifications');
  const [adding, setAdding] = useState(false);
  return (
    <>
      <Card
        title="Notifications"
        actions={<Button text="New notification" class="main small" act={() => setAdding(true)} />}
      >
        <Shown of={list} rows={3}>
          {({ notifications }) =>
            notifications.length === 0 ? (
              <Empty title="No notifications yet">
                <p>Get an e-mail or a webhook when something is given up, refused or about to expire.</p>
              </Empty>
            ) : (
              <ul class="plain stack">
                {notifications.map((one) => (
                  <Row key={one.id} of={one} reload={list.reload} />
                ))}
              </ul>
            )
          }
        </Shown>
      </Card>
      {adding && <NewNotification close={() => setAdding(false)} done={list.reload} />}
    </>
  );
}

function Row({ of, reload }: { of: Notification; reload: () => Promise<void> }) {
  const { id, name, kind, to, enabled, open, last_sent_at, last_error } = of;
  const params = { id };
  const [tested, setTested] = useState<{ sent: boolean; reason: string | null }>();
  const action = useAction();
  const test = async () => setTested(await action.run(() => api('POST /v1/notifications/{id}/test', { params })));
  const word = enabled ? 'Turn off' : 'Turn on';
  return (
    <li class="stack">
      <p>
        <strong>{name}</strong> <Status value={enabled ? 'active' : 'off'} label={enabled ? 'On' : 'Off'} />
        <br />
        <small>
          {inWords(kind)} to {to}. Last sent <Time at={last_sent_at} />.
        </small>
      </p>
      {open.map(({ cause, since }) => (
        <p key={cause} class="note warn">
          {causes[cause]}, since <Time at={since} />
        </p>
      ))}
      {last_error !== null && <p class="problem">{last_error}</p>}
      {tested && (
        <p class={tested.sent ? 'note good' : 'note bad'} role="status">
          {tested.sent ? 'Test message delivered.' : tested.reason}
        </p>
      )}
      <Problem failure={action.failure} />
      <p class="buttons">
        <Button text="Send a test" class="small" disabled={action.busy} label={`Send a test of ${name}`} act={test} />
        <Act
          text={word}
          class="small"
          label={`${word} ${name}`}
          action={action}
          work={() => api('PUT /v1/notifications/{id}', { params, body: { enabled: !enabled } })}
          done={`${name} is ${enabled ? 'off' : 'on'}`}
          then={reload}
        />
        <Delete
          name={name}
          effect={`${to} is no longer notified.`}
          action={action}
          work={() => api('DELETE /v1/notifications/{id}', { params })}
          then={reload}
        />
      </p>
    </li>
  );
}

function NewNotification({ close, done }: { close: () => void; done: () => Promise<void> }) {
  const action = useAction();
  const { problem } = action;
  const submit = async (fields: Readonly<Record<string, string>>, form: HTMLFormElement) => {
    const { name = '', kind, to = '', quiet } = fields;
    const chosen = new FormData(form).getAll('cause') as Cause[];
    const body = { name, kind: kind as Kind, to, causes: chosen, quiet_minutes: Number(quiet) };
    if (!(await action.run(() => api('POST /v1/notifications', { body })))) return;
    say(`Created ${name}`);
    close();
    await done();
  };
  return (
    <FormDialog title="New notification" text="Create" action={action} submit={submit} close={close} besides>
      <InputField label="Name" problem={problem('name')} name="name" required maxLength={100} autocomplete="off" />
      <SelectField label="Kind" options={kinds} name="kind" />
      <InputField
        label="To"
        hint="An e-mail address, or an http or https address"
        problem={problem('to')}
        name="to"
        required
        autocomplete="off"
      />
      <fieldset>
        <legend>When</legend>
        {Object.entries(causes).map(([value, label]) => (
          <Check key={value} label={label} name="cause" value={value} defaultChecked />
        ))}
      </fieldset>
      <InputField
        label="Minutes between two messages about the same cause"
        problem={problem('quiet_minutes')}
        name="quiet"
        type="number"
        min={1}
        max={10080}
        value={60}
        required
      />
    </FormDialog>
  );
}
