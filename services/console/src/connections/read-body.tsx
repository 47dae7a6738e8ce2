import { useState } from 'preact/hooks';
import { inWords } from '../shell/format';
import { Field, FormDialog } from '../shell/forms';
import { Facts, Money } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body } from '../shell/session';
import { useStatusNames } from '../shell/status-names';

type Read = Body<'POST /v1/webhooks/gateways/{gateway}/read'>;

/** What a pasted body would be read as, before anything is sent. */
export function ReadBody({ name, title, types }: { name: string; title: string } & Types) {
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
          <EventRead key={index} of={event} types={types} />
        ))}
      </div>
    </FormDialog>
  );
}

/** What the event types of a connection mean: what is not understood can be set there. */
type Types = { readonly types: Readonly<Record<string, string>> | undefined };

function EventRead({ of: event, types }: { of: Read['events'][number] } & Types) {
  const { order, amount, currency, event_type, generic_type, order_problem } = event;
  const names = useStatusNames();
  const isUnknown =
    types && generic_type === 'custom_event' && ![generic_type, ...Object.keys(types)].includes(event_type);
  const hint =
    types && order_problem === 'It names no order.' ? ' Enter the field with its number under “Settings”.' : '';
  const shown = amount === null ? 'none' : <Money amount={amount} currency={currency ?? ''} />;
  return (
    <div class={order ? 'note' : 'note warn'}>
      <Facts
        of={{
          Event: isUnknown
            ? `${event_type}: say under “Event types” what it means`
            : inWords(generic_type ?? event_type),
          Amount: event.amount_problem ?? shown,
          Transaction: event.transaction_id ?? 'none',
          Status: event.status,
          Reason: event.reason,
          Order: order ? (
            <>
              <a href={to(`/orders/${order.id}`)}>{order.number}</a>, {names[order.status] ?? inWords(order.status)},{' '}
              <Money amount={order.total} currency={order.currency} />
            </>
          ) : (
            `${order_problem ?? ''}${hint}`
          ),
        }}
      />
    </div>
  );
}
