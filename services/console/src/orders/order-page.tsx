import type { AnswerTo } from '@order-automation/api-gateway/client';
import { EntryTable } from '../log/entries';
import { useLoad } from '../shell/load';
import type { Params } from '../shell/match';
import { Pager } from '../shell/pager';
import { Card, Empty, Money, Page, Shown, Status, Table, Time } from '../shell/parts';
import { address, to } from '../shell/router';
import { api, mayManage } from '../shell/session';
import { Why } from './why-card';
import '../log/log.css';

type Order = Extract<AnswerTo<'GET /v1/shop/orders/{id}'>, { ok: true }>['body'];

/** Everything that ever happened to one order, why it stands where it does, and the order itself. */
export function OrderPage({ params }: { params: Params }) {
  const { id = '' } = params;
  return (
    <Page
      title={`Order ${id}`}
      actions={
        mayManage.value && (
          <a class="button" href={to('/debugger', { order: id })}>
            Try the rules on it
          </a>
        )
      }
    >
      <div class="columns">
        <div>
          <Why id={id} />
          <History id={id} />
        </div>
        <div>{mayManage.value ? <OrderItself id={id} /> : <Card title="The order">{viewerText}</Card>}</div>
      </div>
    </Page>
  );
}

const viewerText = 'Your account reads the log. Orders themselves are shown to those who manage the shop.';

function History({ id }: { id: string }) {
  const page = Number(address.value.query.page ?? '1') || 1;
  const list = useLoad(
    () =>
      api('GET /v1/audit-log', {
        query: { order_id: id, include_test: true, view: 'flat', page, per_page: 50 },
      }),
    [id, page],
  );
  return (
    <Card title="Everything that happened to it" flush>
      <Shown of={list} rows={8}>
        {({ logs, pagination }) =>
          logs.length === 0 ? (
            <Empty title="No webhook and no rule has touched it.">
              <p>Send a test payment for it, or try a rule on it: both leave the order as it is.</p>
            </Empty>
          ) : (
            <>
              <EntryTable entries={logs} orders={false} />
              <Pager of={pagination} />
            </>
          )
        }
      </Shown>
    </Card>
  );
}

function OrderItself({ id }: { id: string }) {
  const order = useLoad(() => api('GET /v1/shop/orders/{id}', { params: { id } }), [id]);
  return (
    <>
      <Card title="The order">
        <Shown of={order} rows={8}>
          {(data) => <Facts order={data} />}
        </Shown>
      </Card>
      {order.data && <Items order={order.data} />}
      {order.data && <Notes order={order.data} />}
    </>
  );
}

/** Dates of the shop come without a zone; those ending in `_gmt` are in UTC. */
const utc = (date: unknown): string | null => (typeof date === 'string' && date !== '' ? `${date}Z` : null);

function Facts({ order }: { order: Order }) {
  const { billing } = order;
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Status value={order.status} />
      </dd>
      <dt>Total</dt>
      <dd>
        <Money amount={order.total} currency={order.currency} />
      </dd>
      <dt>Customer</dt>
      <dd>
        {billing.first_name} {billing.last_name}
        {billing.email !== '' && (
          <>
            <br />
            <small>{billing.email}</small>
          </>
        )}
      </dd>
      <dt>Paid with</dt>
      <dd>{order.payment_method_title || order.payment_method || 'nothing yet'}</dd>
      {order.transaction_id !== '' && (
        <>
          <dt>Transaction</dt>
          <dd>
            <code>{order.transaction_id}</code>
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <Time at={utc(order.date_created_gmt)} />
      </dd>
      <dt>Paid</dt>
      <dd>{utc(order.date_paid_gmt) === null ? 'not yet' : <Time at={utc(order.date_paid_gmt)} />}</dd>
      {order.tags && order.tags.length > 0 && (
        <>
          <dt>Tags</dt>
          <dd>{order.tags.join(', ')}</dd>
        </>
      )}
    </dl>
  );
}

function Items({ order }: { order: Order }) {
  return (
    <Card title="Items" flush>
      <Table heads={['Product', ['Pieces', 'number'], ['Total', 'number']]} folds={false}>
        {order.line_items.map((item) => (
          <tr key={item.id}>
            <td>{item.name}</td>
            <td class="number">{item.quantity}</td>
            <td class="number">
              <Money amount={item.total} currency={order.currency} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function Notes({ order }: { order: Order }) {
  return (
    <Card title="Notes">
      {order.notes.length === 0 ? (
        <p class="soft">None.</p>
      ) : (
        <ul class="plain stack">
          {order.notes.map(({ id, note, author, date_created, customer_note }) => (
            <li key={id}>
              <p>{note}</p>
              <small>
                {author}, <Time at={date_created} />
                {customer_note && ', the customer sees it'}
              </small>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
