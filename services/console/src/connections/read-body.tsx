import { useState } from 'preact/hooks';
import { inWords } from '../shell/format';
import { Field, FormDialog } from '../shell/forms';
import { Facts, Money } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body } from '../shell/session';

type Read = Body<'POST /v1/webhooks/gateways/{gateway}/read'>;

/** What a pasted body would be read as, before anything is sent. */
export function ReadBody({ name, title }: { name: string; title: string }) {
  const [read, setRead] = useState<Read>();
  return (
    <FormDialog
      title={`Check a payload of ${title}`}
      text="Check"
      closeText="Close"
      stays
      work={({ body = '' }) =>
        api('POST /v1/webhooks/gateways/{gateway}/read', { params: { gateway: name }, body: { body } })
      }
      answered={setRead}
    >
      <Field
        label="Payload"
        hint="The body of a webhook, as the sender’s log shows it. A type that comes in a header, as with Shopify, is not in it. Nothing is stored or changed."
      >
        {(control) => <textarea {...control} dir="auto" name="body" rows={8} required maxLength={262_144} />}
      </Field>
      <div aria-live="polite">
        {read?.refused != null && <p class="note bad">{read.refused}</p>}
        {read?.refused === null && read.events.length === 0 && (
          <p class="note">It is a test of the address: no event.</p>
        )}
        {read?.events.map((event, index) => (
          <EventRead key={index} of={event} />
        ))}
      </div>
    </FormDialog>
  );
}

function EventRead({ of: event }: { of: Read['events'][number] }) {
  const { order, amount, currency } = event;
  const shown = amount === null ? 'none' : <Money amount={amount} currency={currency ?? ''} />;
  return (
    <div class={order ? 'note' : 'note warn'}>
      <Facts
        of={{
          Event: inWords(event.generic_type ?? event.event_type),
          Amount: event.amount_problem ?? shown,
          Transaction: event.transaction_id ?? 'none',
          Status: event.status,
          Reason: event.reason,
          Order: order ? (
            <>
              <a href={to(`/orders/${order.id}`)}>{order.number}</a>, {inWords(order.status)},{' '}
              <Money amount={order.total} currency={order.currency} />
            </>
          ) : (
            event.order_problem
          ),
        }}
      />
    </div>
  );
}
