import { useState } from 'preact/hooks';
import { findOrders } from '../shell/find-orders';
import { durationText } from '../shell/format';
import { Field, FormDialog, SelectField } from '../shell/forms';
import { useAction } from '../shell/load';
import { Status } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body } from '../shell/session';
import { Suggest } from '../shell/suggest';
import type { Gateway } from './connections-page';

type Report = Body<'POST /v1/webhooks/test/{gateway}'>;
type TestProps = { readonly gateway: Gateway; readonly connection: string | undefined; readonly close: () => void };

/** The event type that a person most likely wants to try. */
export const usualType = (types: readonly string[]): string =>
  types.find((id) => /succeeded|completed/.test(id)) ?? types[0] ?? '';

/** A test event of any type, and its result. */
export function TestEvent({ gateway, connection, close }: TestProps) {
  const [order, setOrder] = useState('');
  const [report, setReport] = useState<Report>();
  const action = useAction();
  const send = async ({ type = '' }: Readonly<Record<string, string>>) => {
    const body = {
      event_type: type,
      ...(order !== '' && { order_id: Number(order) }),
      ...(connection !== undefined && { connection }),
    };
    const params = { gateway: gateway.name };
    setReport(await action.run(() => api('POST /v1/webhooks/test/{gateway}', { params, body })));
  };
  return (
    <FormDialog
      title={`Test ${connection ?? gateway.display_name}`}
      text={action.busy ? 'Sending...' : 'Send'}
      action={action}
      submit={send}
      close={close}
      closeText="Close"
    >
      <p class="soft">The event is signed, received and evaluated like a real one, but changes nothing.</p>
      <SelectField
        label="Event"
        name="type"
        options={gateway.event_types}
        chosen={usualType(Object.keys(gateway.event_types))}
      />
      <Field label="Order" hint={order === '' ? 'If you choose none, the newest that fits.' : `Order ${order}`}>
        {(control) => (
          <Suggest
            control={control}
            placeholder="Number, name or e-mail"
            find={findOrders}
            pick={({ value }) => setOrder(value)}
            free
          />
        )}
      </Field>
      {report && <Result of={report} />}
    </FormDialog>
  );
}

function Result({ of: { test_success, processing, performance, recommendations } }: { of: Report }) {
  const failed = processing.reason ?? 'It did not arrive.';
  return (
    <div class={test_success ? 'note good' : 'note warn'} aria-live="polite">
      <p>
        <strong>{test_success ? 'It arrived and was evaluated.' : failed}</strong> {durationText(performance.total_ms)}
      </p>
      <ul class="plain">
        {processing.rules.map(({ rule_id, status, summary }) => (
          <li key={rule_id}>
            <Status value={status} /> {summary}
          </li>
        ))}
        {recommendations.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p>
        <a href={to(`/log/${processing.process_id}`)}>See what happened</a>
      </p>
    </div>
  );
}
