import { useState } from 'preact/hooks';
import { Act, Delete } from '../shell/act';
import { open } from '../shell/dialogs';
import { Check, FormDialog, InputField, SelectField } from '../shell/forms';
import { useAction, useGet } from '../shell/load';
import { Button, Card, Empty, Problem, Shown, Status, Time } from '../shell/parts';
import { api, type Body } from '../shell/session';
import labels from './labels.json';

type Notification = Body<'GET /v1/notifications'>['notifications'][number];
type Kind = Notification['kind'];
type Cause = Notification['causes'][number];

const { causes, kinds } = labels;

/** E-mails and webhooks that say when something needs a person. */
export function Notifications() {
  const list = useGet('GET /v1/notifications');
  const add = () => open(<NewNotification done={list.reload} />);
  return (
    <Card title="Notifications" actions={<Button text="New notification" class="main small" act={add} />}>
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
          {kinds[kind].replace(/:.*/, '')} to {to}. Last sent: <Time at={last_sent_at} />.
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

function NewNotification({ done }: { done: () => Promise<void> }) {
  return (
    <FormDialog
      title="New notification"
      text="Create"
      work={({ name = '', kind, to = '', quiet_minutes }, form) => {
        const chosen = new FormData(form).getAll('cause') as Cause[];
        const body = { name, kind: kind as Kind, to, causes: chosen, quiet_minutes: Number(quiet_minutes) };
        return api('POST /v1/notifications', { body });
      }}
      done={(_, { name }) => `Created ${name}`}
      then={done}
    >
      <InputField label="Name" name="name" required maxLength={100} />
      <SelectField label="Kind" options={kinds} name="kind" />
      <InputField label="To" hint="An e-mail address, or for a webhook the address to call" name="to" required />
      <fieldset>
        <legend>When</legend>
        {Object.entries(causes).map(([value, label]) => (
          <Check key={value} label={label} name="cause" value={value} defaultChecked />
        ))}
      </fieldset>
      <InputField
        label="Minutes between two messages about the same cause"
        name="quiet_minutes"
        type="number"
        min={1}
        max={10080}
        value={60}
        required
      />
    </FormDialog>
  );
}
