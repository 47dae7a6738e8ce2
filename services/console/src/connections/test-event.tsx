import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../shell/dialogs';
import { findOrders } from '../shell/find-orders';
import { durationText } from '../shell/format';
import { Field } from '../shell/forms';
import { useAction } from '../shell/load';
import { Button, Problem, Status } from '../shell/parts';
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
  const { busy, failure, run } = useAction();
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const body = {
      event_type: type,
      ...(order !== '' && { order_id: Number(order) }),
      ...(connection !== undefined && { connection }),
    };
    setReport(await run(() => api('POST /v1/webhooks/test/{gateway}', { params: { gateway: gateway.name }, body })));
  };
  return (
    <Dialog title={`Test ${connection ?? gateway.display_name}`} close={close}>
      <form class="form" onSubmit={(event) => void send(event)}>
        <p class="soft">It is signed, received and evaluated as any other; nothing is changed.</p>
        <Field label="Event">
          {(control) => (
            <select {...control} value={type} onChange={(event) => setType(event.currentTarget.value)}>
              {types.map(([id, label]) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
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
        <Problem failure={failure} />
        {report && <Became report={report} />}
        <p class="buttons">
          <button type="submit" class="main" disabled={busy}>
            {busy ? 'On its way' : 'Send'}
          </button>
          <Button text="Close" act={close} />
        </p>
      </form>
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
