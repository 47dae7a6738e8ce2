import { useState } from 'preact/hooks';
import { durationText } from '../shell/format';
import { Field, FormDialog, SelectField } from '../shell/forms';
import { Status } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body } from '../shell/session';
import { OrderSearch } from '../shell/suggest';
import type { Gateway } from './connections-page';

type Report = Body<'POST /v1/webhooks/test/{gateway}'>;

/** The event type that a person most likely wants to try. */
export const usualType = (types: readonly string[]): string =>
  types.find((id) => /succeeded|completed/.test(id)) ?? types[0] ?? '';

export function TestEvent({ gateway, connection }: { gateway: Gateway; connection: string | undefined }) {
  const [order, setOrder] = useState('');
  const [report, setReport] = useState<Report>();
  return (
    <FormDialog
      title={`Test ${connection ?? gateway.display_name}`}
      text="Send"
      busyText="Sending..."
      closeText="Close"
      stays
      work={({ type = '' }) => {
        const body = {
          event_type: type,
          ...(order !== '' && { order_id: Number(order) }),
          ...(connection !== undefined && { connection }),
        };
        return api('POST /v1/webhooks/test/{gateway}', { params: { gateway: gateway.name }, body });
      }}
      answered={setReport}
    >
      <p class="soft">The event is signed, received and evaluated like a real one, but changes nothing.</p>
      <SelectField
        label="Event"
        name="type"
        options={gateway.event_types}
        chosen={usualType(Object.keys(gateway.event_types))}
      />
      <Field label="Order" hint={order === '' ? 'If you choose none, the newest that fits.' : `Order ${order}`}>
        {(control) => <OrderSearch control={control} pick={setOrder} />}
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
