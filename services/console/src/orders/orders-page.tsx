import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isPersonal } from '../log/filters';
import { Ago } from '../shell/ago';
import { inWords } from '../shell/format';
import { type Columns, Listing, paging } from '../shell/listing';
import { useGet } from '../shell/load';
import { Card, Money, Page, Status } from '../shell/parts';
import { Period } from '../shell/period';
import { address, place, setQuery, to } from '../shell/router';
import { SavedViews } from '../shell/saved-views';
import type { Body } from '../shell/session';
import { useStatusNames } from '../shell/status-names';

type Listed = Body<'GET /v1/shop/orders'>['orders'][number];

/** The orders of the shop, newest first. What is searched for may name a person, and stays out of the address. */
export function OrdersPage() {
  const { status = '', from = '', to: until = '' } = address.value.query;
  const [words, setWords] = useState('');
  const view = { ...(status && { status }), ...(from && { from }), ...(until && { to: until }) };
  const query = { ...view, ...(words && { search: words }), ...paging() };
  const list = useGet('GET /v1/shop/orders', { query });
  const names = useStatusNames();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setWords(String(form.get('search')).trim());
    setQuery({ status: String(form.get('status')), page: '' });
  };
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current) input.current.value = words;
  }, [words]);
  const isFiltered = Object.keys(view).length > 0 || words !== '';
  return (
    <Page title="Orders" sub="The orders of your shop. Each shows what webhooks and rules did to it, and why." stack>
      <search aria-label="Filters of orders">
        <form class="buttons filters" onSubmit={submit}>
          <input
            ref={input}
            type="search"
            name="search"
            dir="auto"
            aria-label="A number, a name, an e-mail address or a payment"
            placeholder="Number, name, e-mail address or payment"
          />
          <Statuses key={status} chosen={status} names={names} />
          <button type="submit">Search</button>
          <SavedViews page="orders" query={view} />
          {isFiltered && (
            <a href={to('/orders')} onClick={() => setWords('')}>
              Clear
            </a>
          )}
        </form>
      </search>
      <Period from="from" until="to" />
      <Card flush>
        <Listing
          of={list}
          rows={({ orders }) => orders}
          columns={columns(names)}
          empty={{
            title: isFiltered ? 'No order matches' : 'The shop has no orders yet',
            children: isFiltered ? (
              <p>
                Names, e-mails and numbers are found by their beginning, payments by their whole id.{' '}
                {words !== '' && !isPersonal(words) && (
                  <a href={to('/log', { search: words })}>Search the log for it</a>
                )}
              </p>
            ) : (
              <p>
                <a href={to('/settings', { part: 'shop' })}>Connect your WooCommerce shop</a>, and its orders appear
                here. To import orders of another shop, follow the guide{' '}
                <a href={`${place.base}/docs/guide/import-a-shop`}>Import a shop</a>.
              </p>
            ),
          }}
        />
      </Card>
    </Page>
  );
}

/** The statuses of the shop, those of plugins too. */
function Statuses({ chosen, names }: { chosen: string; names: ReturnType<typeof useStatusNames> }) {
  const options = { '': 'Any status', ...(chosen && { [chosen]: inWords(chosen) }), ...names };
  return (
    <select name="status" aria-label="Status">
      {Object.entries(options).map(([value, label]) => (
        <option key={value} value={value} selected={value === chosen}>
          {label}
        </option>
      ))}
    </select>
  );
}

const columns = (names: ReturnType<typeof useStatusNames>): Columns<Listed> => ({
  Order: ({ id, number }) => (
    <a href={to(`/orders/${id}`)}>
      Order {id}
      {number !== String(id) && <small> (number {number})</small>}
    </a>
  ),
  Created: ({ date_created_gmt }) => <Ago at={`${date_created_gmt}Z`} />,
  Customer: {
    named: true,
    cell: ({ billing }) => `${billing.first_name} ${billing.last_name}`.trim() || billing.email,
  },
  Status: ({ status }) => <Status value={status} label={names[status] ?? inWords(status)} />,
  Total: { class: 'number', named: true, cell: ({ total, currency }) => <Money amount={total} currency={currency} /> },
});
