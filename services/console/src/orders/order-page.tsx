import { entryColumns } from '../log/entries';
import { currentPage, Listing, Table } from '../shell/listing';
import { useGet, useLoad } from '../shell/load';
import type { Params } from '../shell/match';
import { Card, Empty, Facts, Money, Page, Shown, Status, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body, mayManage } from '../shell/session';
import { Why } from './why-card';
import '../log/log.css';

type Order = Body<'GET /v1/shop/orders/{id}'>;

/** Everything that ever happened to one order, why it has its status, and the order itself. */
export function OrderPage({ params }: { params: Params }) {
  const { id = '' } = params;
  const order = useLoad<Order | null>(
    async () => (mayManage.value ? api('GET /v1/shop/orders/{id}', { params: { id } }) : { ok: true, body: null }),
    [id],
  );
  if (order.failure?.status === 404 || order.failure?.status === 400) return <NoOrder id={id} />;
  return (
    <Page
      title={`Order ${id}`}
      actions={
        mayManage.value && (
          <a class="button" href={to('/debugger', { order: id })}>
            Test the rules on it
          </a>
        )
      }
    >
      <div class="columns">
        <div>
          <Why id={id} />
          <History id={id} empty={unchanged} />
        </div>
        <div>
          <Shown of={order} rows={8}>
            {(found) => (found ? <OrderCards order={found} /> : <Card title="The order">{viewerText}</Card>)}
          </Shown>
        </div>
      </div>
    </Page>
  );
}

const viewerText = 'You have read-only access. Users who manage the shop see the order here.';

/** The shop has no such order; webhooks may have named it nevertheless. */
function NoOrder({ id }: { id: string }) {
  return (
    <Page title={`There is no order ${id}`} sub="Order not found in the shop">
      <div class="stack">
        <Card flush>
          <Empty title="The shop has no order with this id">
            <p>Check the number. If the order is new, webhooks for it wait until the shop has it.</p>
            <p class="buttons">
              <a class="button main" href={to('/log')}>
                Search the log
              </a>
              <a class="button" href={to('/')}>
                Overview
              </a>
            </p>
          </Empty>
        </Card>
        {/^\d{1,15}$/.test(id) && <History id={id} empty={neverNamed} />}
      </div>
    </Page>
  );
}

const neverNamed = { title: 'No webhook has named this order' };
const unchanged = {
  title: 'No webhook or rule has changed this order',
  children: <p>Send a test payment for it, or test a rule on it: neither changes the order.</p>,
};

function History({ id, empty }: { id: string; empty: typeof neverNamed }) {
  const query = { order_id: id, include_test: true, view: 'flat', page: currentPage(), per_page: 50 } as const;
  const list = useGet('GET /v1/audit-log', { query });
  return (
    <Card title="History" flush>
      <Listing of={list} rows={({ logs }) => logs} columns={entryColumns} empty={empty} />
    </Card>
  );
}

/** Dates of the shop come without a zone; those ending in `_gmt` are in UTC. */
const utc = (date: unknown): string | null => (typeof date === 'string' && date !== '' ? `${date}Z` : null);

function OrderCards({ order }: { order: Order }) {
  return (
    <>
      <Card title="The order">
        <OrderFacts order={order} />
      </Card>
      <Card title="Items" flush>
        <Table
          rows={order.line_items}
          folds={false}
          columns={[
            { title: 'Product', cell: ({ name }) => name },
            { title: 'Quantity', class: 'number', cell: ({ quantity }) => String(quantity) },
            {
              title: 'Total',
              class: 'number',
              cell: ({ total }) => <Money amount={total} currency={order.currency} />,
            },
          ]}
        />
      </Card>
      <Card title="Notes">
        {order.notes.length === 0 && <p class="soft">None.</p>}
        <ul class="plain stack">
          {order.notes.map(({ id, note, author, date_created, customer_note }) => (
            <li key={id}>
              <p dir="auto">{note}</p>
              <small>
                {author}, <Time at={date_created} />
                {customer_note && ', visible to the customer'}
              </small>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

function OrderFacts({ order }: { order: Order }) {
  const { billing, transaction_id, tags = [] } = order;
  const paidAt = utc(order.date_paid_gmt);
  return (
    <Facts
      of={[
        ['Status', <Status key="status" value={order.status} />],
        ['Total', <Money key="total" amount={order.total} currency={order.currency} />],
        [
          'Customer',
          <>
            {billing.first_name} {billing.last_name}
            <br />
            <small>{billing.email}</small>
          </>,
        ],
        ['Payment method', order.payment_method_title || order.payment_method || 'none yet'],
        transaction_id !== '' && ['Transaction', <code key="transaction">{transaction_id}</code>],
        ['Created', <Time key="created" at={utc(order.date_created_gmt)} />],
        ['Paid', paidAt === null ? 'not yet' : <Time key="paid" at={paidAt} />],
        tags.length > 0 && ['Tags', tags.join(', ')],
      ]}
    />
  );
}
