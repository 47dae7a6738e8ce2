import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../shell/dialogs';
import { findOrders } from '../shell/find-orders';
import { durationText } from '../shell/format';
import { Field, Form, SelectField } from '../shell/forms';
import { useAction } from '../shell/load';
import { Status } from '../shell/parts';
import { to } from '../shell/router';
import { api } from '../shell/session';
import { Suggest } from '../shell/suggest';
import type { Gateway } from './connections-page';

type Report = Extract<AnswerTo<'POST /v1/webhooks/test/{gateway}'>, { ok: true }>['body'];
type TestProps = { readonly gateway: Gateway; readonly connection?: string; readonly close: () => void };

/** A test event of any type, and what became of it. */
export function TestEvent({ gateway, connection, close }: TestProps) {
  const types = Object.entries(gateway.event_types);
  const [type, setType] = useState(types.find(([id]) => /succeeded|completed/.test(id))?.[0] ?? types[0]?.[0] ?? '');
  const [order, setOrder] = useState('');
  const [report, setReport] = useState<Report>();
  const action = useAction();
  const send = async () => {
    const body = {
      event_type: type,
      ...(order !== '' && { order_id: Number(order) }),
      ...(connection !== undefined && { connection }),
    };
    setReport(
      await action.run(() => api('POST /v1/webhooks/test/{gateway}', { params: { gateway: gateway.name }, body })),
    );
  };
  return (
    <Dialog title={`Test ${connection ?? gateway.display_name}`} close={close}>
      <Form text={action.busy ? 'On its way' : 'Send'} action={action} submit={send} close={close} closeText="Close">
        <p class="soft">It is signed, received and evaluated as any other; nothing is changed.</p>
        <SelectField
          label="Event"
          options={gateway.event_types}
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
        />
        <Field label="Order" hint={order === '' ? 'Without one, the newest that fits.' : `Order ${order}`}>
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
        {report && <Became report={report} />}
      </Form>
    </Dialog>
  );
}

function Became({ report }: { report: Report }) {
  const { test_success, processing, performance, recommendations } = report;
  return (
    <div class={test_success ? 'note good' : 'note warn'} aria-live="polite">
      <p>
        <strong>
          {test_success ? 'It arrived and was evaluated.' : (processing.reason ?? 'It did not come through.')}
        </strong>{' '}
        {durationText(performance.total_ms)}
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
        <a href={to(`/log/${processing.process_id}`)}>Read its story</a>
      </p>
    </div>
  );
}
