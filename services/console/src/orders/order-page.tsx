import { entryColumns } from '../log/entries';
import { isPersonal } from '../log/filters';
import { gatewaysNamed } from '../log/words';
import { inWords } from '../shell/format';
import { Listing, paging, Table } from '../shell/listing';
import { useGet, useLoad } from '../shell/load';
import type { Params } from '../shell/match';
import { useOrderNumber } from '../shell/order-number';
import { ButtonLink, Card, Empty, Facts, Money, Page, Said, Shown, Status, Time } from '../shell/parts';
import { address, go, to } from '../shell/router';
import { api, type Body, mayManage, mayTest } from '../shell/session';
import { useStatusNames } from '../shell/status-names';
import { tellingEntry } from './why';
import '../log/log.css';

type Order = Body<'GET /v1/shop/orders/{id}'>;

const isId = (text: string): boolean => /^\d{1,15}$/.test(text);

/** Everything that ever happened to one order, why it has its status, and the order itself. */
export function OrderPage({ params }: { params: Params }) {
  const { id = '' } = params;
  const order = useLoad<Order | Several | 'unseen' | 'none'>(() => readOrder(id), [id]);
  const number = useOrderNumber(order.data === 'unseen' ? Number(id) : null);
  if (order.data === 'none') return <NoOrder id={id} />;
  if (isSeveral(order.data)) return <SeveralOrders number={id} ids={order.data.ids} />;
  if (!isId(id)) return <Shown of={order}>{() => null}</Shown>;
  const data = order.data;
  const shown = data && data !== 'unseen' && data.number !== id ? data.number : number;
  return (
    <Page
      title={`Order ${id}`}
      sub={shown && `Number ${shown}`}
      actions={mayTest() && <ButtonLink text="Test the rules on it" to="/debugger" query={{ order: id }} />}
    >
      <div class="columns">
        <div>
          <Why id={id} />
          <History id={id} empty={mayManage.value ? unchanged : { title: unchanged.title }} />
        </div>
        <div>
          <Shown of={order} rows={8}>
            {(found) =>
              typeof found === 'object' && !isSeveral(found) ? (
                <OrderCards order={found} />
              ) : (
                <Card title="The order">{viewerText}</Card>
              )
            }
          </Shown>
        </div>
      </div>
    </Page>
  );
}

/** The order with this id, which a viewer may not see; else the page of the one with this number opens, unless the reader has gone on meanwhile. */
async function readOrder(id: string) {
  const { path } = address.value;
  const answer = mayManage.value && (await api('GET /v1/shop/orders/{id}', { params: { id } }));
  if (answer && ![400, 404].includes(answer.status)) return answer;
  const found = await api('GET /v1/shop/order-numbers', { query: { number: id } });
  if (!found.ok) return found;
  const { orders } = found.body;
  if (orders.some((one) => String(one.id) === id)) return { ok: true, body: 'unseen' } as const;
  const [named, other] = orders;
  if (other) return { ok: true, body: { ids: orders.map((one) => one.id) } } as const;
  if (named && address.value.path === path) await go(`/orders/${named.id}`, {}, { replace: true });
  return { ok: true, body: 'none' } as const;
}

/** Orders that share a number. */
type Several = { readonly ids: readonly number[] };
const isSeveral = (data: object | string | undefined): data is Several => typeof data === 'object' && 'ids' in data;

function SeveralOrders({ number, ids }: { readonly number: string } & Several) {
  return (
    <Page title={`Orders with the number ${number}`} sub="The shop has given this number more than once." stack>
      <Card>
        <p class="buttons">
          {ids.map((id) => (
            <ButtonLink key={id} text={`Order ${id}`} to={`/orders/${id}`} />
          ))}
        </p>
      </Card>
    </Page>
  );
}

const readWhy = (id: string) => api('GET /pro/v1/debug-rule/why/{order_id}', { params: { order_id: id } });

const viewerText = 'You have read-only access. Users who manage the shop see the order here.';

/** The shop has no such order; webhooks may have named it nevertheless. */
function NoOrder({ id }: { id: string }) {
  const why = useLoad(async () => (mayTest() ? readWhy(id) : ({ ok: true, body: null } as const)), [id]);
  const named = why.data?.data.process_id;
  return (
    <Page title={`There is no order ${id}`} sub="Order not found in the shop" stack>
      <Card flush>
        <Empty title="The shop has no order with this id or number">
          <p>
            <Said text={why.data?.data.sentence ?? unknown} />
          </p>
          <p class="buttons">
            {named && <ButtonLink text="See what happened" class="main" to={`/log/${named}`} />}
            <ButtonLink text="Search the log for it" to="/log" query={isPersonal(id) ? {} : { search: id }} />
            <ButtonLink text="Overview" to="/" />
          </p>
        </Empty>
      </Card>
      {!named && !why.loading && isId(id) && <History id={id} empty={neverNamed} />}
    </Page>
  );
}

const unknown = 'Check the number. If the order is new, webhooks for it wait until the shop has it.';
const neverNamed = { title: 'The log has no entry about this order' };
const unchanged = {
  title: 'No webhook or rule has changed this order',
  children: <p>Send a test payment for it, or test a rule on it: neither changes the order.</p>,
};

function History({ id, empty }: { id: string; empty: typeof neverNamed }) {
  const query = { order_id: id, include_test: true, ...paging() };
  const list = useGet('GET /v1/audit-log', { query });
  return (
    <Card title="History" flush>
      <Listing of={list} rows={({ logs }) => logs} columns={entryColumns} empty={empty} />
    </Card>
  );
}

/** Dates of the shop come without a zone; those ending in `_gmt` are in UTC. */
const utc = (date: unknown): string | null => (typeof date === 'string' && date !== '' ? `${date}Z` : null);

type Line = { readonly name: string; readonly quantity?: number; readonly total: string };

/** What its total is made of; shops say the tax of all lines as a sum. */
function linesOf({ line_items, shipping_lines, fee_lines, total_tax = '0' }: Order): Line[] {
  const shipping = shipping_lines.map(({ method_title, total }) => ({ name: method_title || 'Shipping', total }));
  const others = [...shipping, ...((fee_lines ?? []) as Line[]), { name: 'Tax', total: String(total_tax) }];
  return [...line_items, ...others.filter(({ total }) => Number(total) !== 0)];
}

function OrderCards({ order }: { order: Order }) {
  return (
    <>
      <Card title="The order">
        <OrderFacts order={order} />
      </Card>
      <Card title="Items" flush>
        <Table
          rows={linesOf(order)}
          folds={false}
          columns={{
            Product: ({ name }) => name,
            Quantity: { class: 'number', cell: ({ quantity }) => quantity },
            Total: { class: 'number', cell: ({ total }) => <Money amount={total} currency={order.currency} /> },
          }}
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
  const names = useStatusNames();
  const { billing, transaction_id, tags = [] } = order;
  const paidAt = utc(order.date_paid_gmt);
  return (
    <Facts
      of={{
        Status: <Status value={order.status} label={names[order.status] ?? inWords(order.status)} />,
        Total: <Money amount={order.total} currency={order.currency} />,
        Customer: (
          <>
            {billing.first_name} {billing.last_name}
            {billing.first_name + billing.last_name !== '' && <br />}
            <small>{billing.email}</small>
          </>
        ),
        'Payment method': order.payment_method_title || order.payment_method || 'none yet',
        Transaction: transaction_id !== '' && <code>{transaction_id}</code>,
        Created: <Time at={utc(order.date_created_gmt)} />,
        Paid: paidAt === null ? 'not yet' : <Time at={paidAt} />,
        Tags: tags.length > 0 && tags.join(', '),
      }}
    />
  );
}

/** Why the order has its status, in one sentence: from the debugger, or, without its licence, from the log alone. */
function Why({ id }: { id: string }) {
  const why = useLoad(async () => {
    if (!mayTest()) return fromLog(id);
    const answer = await readWhy(id);
    if (!answer.ok) return answer;
    const { sentence, advice, process_id } = answer.body.data;
    return { ok: true, body: { sentence, advice, process_id } } as const;
  }, [id]);
  return (
    <Card title="Why this status">
      <Shown of={why} rows={2}>
        {({ sentence, advice, process_id }) => (
          <div class="stack">
            <p dir="auto">
              <strong>
                <Said text={gatewaysNamed(sentence)} order={Number(id)} />
              </strong>
            </p>
            {advice !== null && (
              <p>
                <Said text={advice} />
              </p>
            )}
            {process_id !== null && <a href={to(`/log/${process_id}`)}>See what happened</a>}
          </div>
        )}
      </Shown>
    </Card>
  );
}

async function fromLog(id: string) {
  const query = { view: 'flat', order_id: id, include_test: true, per_page: 50 } as const;
  const answer = await api('GET /v1/audit-log', { query });
  if (!answer.ok) return answer;
  const { summary: sentence = 'The log has no entry about this order.', process_id = null } =
    tellingEntry(answer.body.logs) ?? {};
  return { ok: true, body: { sentence, advice: null, process_id } } as const;
}
