import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useState } from 'preact/hooks';
import { useLoad } from '../shell/load';
import { Pager } from '../shell/pager';
import { Button, Card, Empty, Page, Shown, Status, Table, Time } from '../shell/parts';
import { address, setQuery, to } from '../shell/router';
import { api, mayManage } from '../shell/session';
import { DeliveryDetails } from './delivery-details';
import { ResendMany } from './resend-many';

export type Delivery = Extract<AnswerTo<'GET /v1/deliveries'>, { ok: true }>['body']['deliveries'][number];

const states = ['pending', 'delivered', 'failed'] as const;
const kinds = ['webhook', 'email'] as const;
const oneOf = <T extends string>(values: readonly T[], value: string | undefined): T | undefined =>
  values.find((one) => one === value);

/** Outbound calls and e-mails: attempts, answers, again. */
export function DeliveriesPage() {
  const { query } = address.value;
  const [open, setOpen] = useState<string>();
  const [resending, setResending] = useState(false);
  const state = oneOf(states, query.state);
  const kind = oneOf(kinds, query.kind);
  const filter = {
    ...(state && { state }),
    ...(kind && { kind }),
    ...(query.order_id !== undefined && { order_id: Number(query.order_id) }),
    ...(query.rule_id !== undefined && { rule_id: Number(query.rule_id) }),
    ...(query.process_id !== undefined && { process_id: query.process_id }),
  };
  const page = Number(query.page ?? '1') || 1;
  const list = useLoad(
    () => api('GET /v1/deliveries', { query: { ...filter, page, per_page: 50 } }),
    [JSON.stringify(filter), page],
  );
  const actions = mayManage.value && <Button text="Send failed ones again" act={() => setResending(true)} />;
  return (
    <Page title="Deliveries" sub="Calls and e-mails that rules send." actions={actions}>
      <div class="stack">
        <div class="row">
          <Choice name="state" label="State" values={states} value={state} />
          <Choice name="kind" label="Kind" values={kinds} value={kind} />
        </div>
        <Card flush>
          <Shown of={list} rows={10}>
            {({ deliveries, pagination }) =>
              deliveries.length === 0 ? (
                <Empty
                  title={Object.keys(filter).length > 0 ? 'Nothing passes these filters.' : 'Nothing was sent yet.'}
                >
                  <p>Rules with the action “Send webhook” or “Send e-mail” send when they match.</p>
                </Empty>
              ) : (
                <>
                  <DeliveryTable deliveries={deliveries} open={setOpen} />
                  <Pager of={pagination} />
                </>
              )
            }
          </Shown>
        </Card>
      </div>
      {open !== undefined && <DeliveryDetails id={open} close={() => setOpen(undefined)} done={list.reload} />}
      {resending && (
        <ResendMany filter={{ ...filter, state: 'failed' }} close={() => setResending(false)} done={list.reload} />
      )}
    </Page>
  );
}

type ChoiceProps = {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string | undefined;
};

function Choice({ name, label, values, value }: ChoiceProps) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      <select value={value ?? ''} onChange={(event) => setQuery({ [name]: event.currentTarget.value, page: '' })}>
        <option value="">All</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}

function DeliveryTable({ deliveries, open }: { deliveries: readonly Delivery[]; open: (id: string) => void }) {
  return (
    <Table heads={['Created', 'State', 'To', 'Order', ['Attempts', 'number'], 'Details']}>
      {deliveries.map((one) => (
        <tr key={one.id}>
          <td>
            <Time at={one.created_at} />
          </td>
          <td>
            <Status value={one.state} />
          </td>
          <td>
            {one.target}
            <br />
            {one.reason !== null && <small>{one.reason}</small>}{' '}
            {one.next_attempt_at !== null && (
              <small>
                Next attempt <Time at={one.next_attempt_at} />
              </small>
            )}
          </td>
          <td data-label={one.order_id === null ? undefined : 'Order'}>
            {one.order_id !== null && <a href={to(`/orders/${one.order_id}`)}>{one.order_id}</a>}
          </td>
          <td class="number" data-label="Attempts">
            {one.attempts_made}
          </td>
          <td>
            <Button text="Details" class="small" label={`Details of ${one.id}`} act={() => open(one.id)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
