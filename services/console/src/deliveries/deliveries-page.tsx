import { Act } from '../shell/act';
import { Ago } from '../shell/ago';
import { close, Dialog, open } from '../shell/dialogs';
import { durationText } from '../shell/format';
import { type Columns, chosenOf, Listing, orderColumn, paging, Tabs } from '../shell/listing';
import { lookEvery, useAction, useEvery, useGet } from '../shell/load';
import { Button, Card, Facts, Page, Problem, Said, Shown, Status, Time } from '../shell/parts';
import { Period } from '../shell/period';
import { Raw } from '../shell/raw';
import { address, to } from '../shell/router';
import { api, type Body, mayManage } from '../shell/session';
import { ResendMany } from './many-dialog';

type Delivery = Body<'GET /v1/deliveries'>['deliveries'][number];

const states = { all: 'All states', pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const;
const kinds = { all: 'All kinds', webhook: 'Webhooks', email: 'E-mails' } as const;

/** Outbound calls and e-mails: attempts, answers, resends. */
export function DeliveriesPage() {
  const { order_id, rule_id, process_id, from, to: until } = address.value.query;
  const [state, kind] = [chosenOf('state', states), chosenOf('kind', kinds)];
  const filter = {
    ...(state !== 'all' && { state }),
    ...(kind !== 'all' && { kind }),
    ...(order_id !== undefined && { order_id: Number(order_id) }),
    ...(rule_id !== undefined && { rule_id: Number(rule_id) }),
    ...(process_id !== undefined && { process_id }),
    ...(from && { from }),
    ...(until && { to: until }),
  };
  const list = useGet('GET /v1/deliveries', { query: { ...filter, ...paging() } });
  useEvery(lookEvery, list.reload, list.data?.deliveries.some((one) => one.state === 'pending') === true);
  const details = ({ id, target, order_id }: Delivery) => {
    const dialog = <DeliveryDetails id={id} done={list.reload} />;
    const label = `Details of what was sent to ${target}${order_id === null ? '' : ` for order ${order_id}`}`;
    return <Button text="Details" class="small" label={label} act={() => open(dialog)} />;
  };
  const resend = <ResendMany filter={{ ...filter, state: 'failed' }} done={list.reload} />;
  return (
    <Page
      title="Deliveries"
      sub="Webhooks and e-mails that rules send."
      actions={mayManage.value && <Button text="Send failed ones again" act={() => open(resend)} />}
      stack
    >
      <div class="buttons">
        <Tabs label="State" name="state" options={states} />
        <Tabs label="Kind" name="kind" options={kinds} />
        <Period from="from" until="to" />
      </div>
      <Card flush>
        <Listing
          of={list}
          rows={({ deliveries }) => deliveries}
          columns={{ ...columns, Details: details }}
          empty={{
            title: Object.keys(filter).length > 0 ? 'No delivery matches these filters' : 'Nothing was sent yet',
            children: <p>Rules with the action “Send webhook” or “Send e-mail” send when they match.</p>,
          }}
        />
      </Card>
    </Page>
  );
}

const columns: Columns<Delivery> = {
  Created: ({ created_at }) => <Ago at={created_at} />,
  State: ({ state }) => <Status value={state} />,
  To: ({ target, reason, next_attempt_at }) => (
    <>
      {target}
      <br />
      <small>
        {reason} {next_attempt_at !== null && <Said text={`Next attempt ${next_attempt_at}`} />}
      </small>
    </>
  ),
  ...orderColumn,
  Attempts: { class: 'number', named: true, cell: ({ attempts_made }) => String(attempts_made) },
};

function DeliveryDetails({ id, done }: { id: string; done: () => Promise<void> }) {
  const params = { id };
  const delivery = useGet('GET /v1/deliveries/{id}', { params });
  const action = useAction();
  useEvery(lookEvery, delivery.reload, delivery.data?.state === 'pending');
  return (
    <Dialog title="Delivery">
      <Shown of={delivery} rows={8}>
        {(one) => <Details of={one} />}
      </Shown>
      <Problem failure={action.failure} />
      <p class="buttons">
        {mayManage.value && (
          <Act
            text="Send again"
            class="main"
            action={action}
            work={() => api('POST /v1/deliveries/{id}/resend', { params })}
            done="Sending again..."
            then={() => Promise.all([delivery.reload(), done()])}
          />
        )}
        <Button text="Close" act={close} />
      </p>
    </Dialog>
  );
}

function Details({ of }: { of: Body<'GET /v1/deliveries/{id}'> }) {
  const { state, target, rule_id, rule_name, process_id, reason, resent_by, request, attempts } = of;
  return (
    <>
      <Facts
        of={{
          State: <Status value={state} />,
          To: target,
          Rule: mayManage.value ? <a href={to(`/rules/${rule_id}`)}>{rule_name}</a> : rule_name,
          Why: <a href={to(`/log/${process_id}`)}>See what happened</a>,
          Reason: reason,
          'Sent again by': resent_by,
        }}
      />
      {request && (
        <details>
          <summary>What is sent</summary>
          <Raw text={request} />
        </details>
      )}
      <h3>Attempts</h3>
      {attempts.length === 0 && <p class="soft">None yet.</p>}
      <ol class="plain stack">
        {attempts.map(({ at, took_ms, status, error, answer }) => (
          <li key={at}>
            <Time at={at} /> <small>{durationText(took_ms)}</small>{' '}
            {status !== null && (
              <Status value={String(status)} label={String(status)} tone={status < 300 ? 'good' : 'bad'} />
            )}
            {error !== null && <p class="problem">{error}</p>}
            {answer && <Raw text={answer} />}
          </li>
        ))}
      </ol>
    </>
  );
}
