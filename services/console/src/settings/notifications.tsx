import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useState } from 'preact/hooks';
import { DeleteButton } from '../shell/delete-button';
import { Dialog, say } from '../shell/dialogs';
import { inWords } from '../shell/format';
import { Form, InputField, SelectField } from '../shell/forms';
import { useAction, useLoad } from '../shell/load';
import { Button, Card, Empty, Problem, Shown, Status, Time } from '../shell/parts';
import { api } from '../shell/session';

type Notification = Extract<AnswerTo<'GET /v1/notifications'>, { ok: true }>['body']['notifications'][number];
type Kind = Notification['kind'];
type Cause = Notification['causes'][number];

const causes: Readonly<Record<Cause, string>> = {
  dead_letter: 'An event was given up',
  delivery_failed: 'A delivery was given up',
  deliveries_stuck: 'Deliveries cannot leave for ten minutes',
  sender_refused: 'A sender is refused again and again',
  oldest_unfinished: 'An event is unfinished for ten minutes',
  verify_failed: 'The log does not verify',
  ends_soon: 'A secret, certificate or licence ends soon',
};
const kinds: Readonly<Record<Kind, string>> = {
  email: 'E-mail',
  webhook: 'Webhook',
  heartbeat: 'Heartbeat: called each minute while all is well',
};

/** Who is notified when something needs a person. */
export function Notifications() {
  const list = useLoad(() => api('GET /v1/notifications'), []);
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
              <Empty title="No notifications yet.">
                <p>An e-mail or a webhook can say when something is given up, refused or about to end.</p>
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
  const [tested, setTested] = useState<{ sent: boolean; reason: string | null }>();
  const action = useAction();
  const { busy, failure, run } = action;
  const test = async () => setTested(await run(() => api('POST /v1/notifications/{id}/test', { params: { id } })));
  const toggle = async () => {
    await run(() => api('PUT /v1/notifications/{id}', { params: { id }, body: { enabled: !enabled } }));
    await reload();
  };
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
          {tested.sent ? 'The test message was taken.' : tested.reason}
        </p>
      )}
      <Problem failure={failure} />
      <p class="buttons">
        <Button text="Send a test" class="small" disabled={busy} label={`Send a test of ${name}`} act={test} />
        <Button
          text={enabled ? 'Switch off' : 'Switch on'}
          class="small"
          disabled={busy}
          label={`Switch ${enabled ? 'off' : 'on'} ${name}`}
          act={toggle}
        />
        <DeleteButton
          name={name}
          text={`${to} is no longer told.`}
          done={`${name} is deleted.`}
          work={() => api('DELETE /v1/notifications/{id}', { params: { id } })}
          action={action}
          reload={reload}
        />
      </p>
    </li>
  );
}

function NewNotification({ close, done }: { close: () => void; done: () => Promise<void> }) {
  const action = useAction();
  const { run, problem } = action;
  const submit = async (form: FormData) => {
    const body = {
      name: String(form.get('name')),
      kind: String(form.get('kind')) as Kind,
      to: String(form.get('to')),
      causes: form.getAll('cause') as Cause[],
      quiet_minutes: Number(form.get('quiet')),
    };
    if (!(await run(() => api('POST /v1/notifications', { body })))) return;
    say('The notification is made.');
    close();
    await done();
  };
  return (
    <Dialog title="New notification" close={close}>
      <Form text="Make it" action={action} submit={submit} close={close} besides>
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
            <label class="check" key={value}>
              <input type="checkbox" name="cause" value={value} defaultChecked />
              {label}
            </label>
          ))}
        </fieldset>
        <InputField
          label="Minutes between two messages about one cause"
          problem={problem('quiet_minutes')}
          name="quiet"
          type="number"
          min={1}
          max={10080}
          value={60}
          required
        />
      </Form>
    </Dialog>
  );
}
