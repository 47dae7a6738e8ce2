import { useState } from 'preact/hooks';
import { type Column, chosenOf, currentPage, Listing, orderColumn, Tabs } from '../shell/listing';
import { useGet } from '../shell/load';
import { Button, Card, Page, Status, Time } from '../shell/parts';
import { address } from '../shell/router';
import { type Body, mayManage } from '../shell/session';
import { DeliveryDetails } from './delivery-details';
import { ResendMany } from './many-dialog';

type Delivery = Body<'GET /v1/deliveries'>['deliveries'][number];

const states = { all: 'All states', pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const;
const kinds = { all: 'All kinds', webhook: 'Webhooks', email: 'E-mails' } as const;

/** Outbound calls and e-mails: attempts, answers, resends. */
export function DeliveriesPage() {
  const { order_id, rule_id, process_id } = address.value.query;
  const [open, setOpen] = useState<string>();
  const [resending, setResending] = useState(false);
  const [state, kind] = [chosenOf('state', states), chosenOf('kind', kinds)];
  const filter = {
    ...(state !== 'all' && { state }),
    ...(kind !== 'all' && { kind }),
    ...(order_id !== undefined && { order_id: Number(order_id) }),
    ...(rule_id !== undefined && { rule_id: Number(rule_id) }),
    ...(process_id !== undefined && { process_id }),
  };
  const list = useGet('GET /v1/deliveries', { query: { ...filter, page: currentPage(), per_page: 50 } });
  const details = ({ id }: Delivery) => (
    <Button text="Details" class="small" label={`Details of ${id}`} act={() => setOpen(id)} />
  );
  return (
    <Page
      title="Deliveries"
      sub="Webhooks and e-mails that rules send."
      actions={mayManage.value && <Button text="Send failed ones again" act={() => setResending(true)} />}
    >
      <div class="stack">
        <div class="buttons">
          <Tabs label="State" name="state" options={states} />
          <Tabs label="Kind" name="kind" options={kinds} />
        </div>
        <Card flush>
          <Listing
            of={list}
            rows={({ deliveries }) => deliveries}
            columns={[...columns, { title: 'Details', cell: details }]}
            empty={{
              title: Object.keys(filter).length > 0 ? 'No delivery matches these filters' : 'Nothing was sent yet',
              children: <p>Rules with the action “Send webhook” or “Send e-mail” send when they match.</p>,
            }}
          />
        </Card>
      </div>
      {open !== undefined && <DeliveryDetails id={open} close={() => setOpen(undefined)} done={list.reload} />}
      {resending && (
        <ResendMany filter={{ ...filter, state: 'failed' }} close={() => setResending(false)} done={list.reload} />
      )}
    </Page>
  );
}

const columns: readonly Column<Delivery>[] = [
  { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'State', cell: ({ state }) => <Status value={state} /> },
  {
    title: 'To',
    cell: ({ target, reason, next_attempt_at }) => (
      <>
        {target}
        <br />
        {reason !== null && <small>{reason}</small>}{' '}
        {next_attempt_at !== null && (
          <small>
            Next attempt <Time at={next_attempt_at} />
          </small>
        )}
      </>
    ),
  },
  orderColumn,
  { title: 'Attempts', class: 'number', named: true, cell: ({ attempts_made }) => String(attempts_made) },
];
