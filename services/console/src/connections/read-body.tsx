import { useState } from 'preact/hooks';
import { inWords } from '../shell/format';
import { Field, FormDialog, InputField } from '../shell/forms';
import { Facts, Money } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body } from '../shell/session';
import { useStatusNames } from '../shell/status-names';
import type { Connection } from './connections-page';
import settings from './settings.json';

type Read = Body<'POST /v1/webhooks/gateways/{gateway}/read'>;

/** What is not understood can be set at a connection. */
type Of = { readonly connection: Connection | undefined };

/** What a pasted body would be read as, before anything is sent. */
export function ReadBody({ name, title, connection }: { name: string; title: string } & Of) {
  const header = connection?.paths.type?.match(/header:(\S+)/)?.[1];
  const [read, setRead] = useState<Read>();
  return (
    <FormDialog
      title={`Check a payload of ${title}`}
      text="Check"
      closeText="Close"
      stays
      work={({ body = '', type = '' }) =>
        api('POST /v1/webhooks/gateways/{gateway}/read', {
          params: { gateway: name },
          body: { body, ...(type && { type }) },
        })
      }
      answered={setRead}
    >
      <Field label="Payload" hint="The body of a webhook, as the sender’s log shows it. Nothing is stored or changed.">
        {(control) => <textarea {...control} dir="auto" name="body" rows={8} required maxLength={262_144} />}
      </Field>
      {header && <InputField label={`Header ${header}`} name="type" required hint="Such as orders/paid" />}
      <div aria-live="polite">
        {read?.refused != null && <p class="note bad">{read.refused}</p>}
        {read?.refused === null && read.events.length === 0 && (
          <p class="note">It is a test of the address: no event.</p>
        )}
        {read?.events.map((event, index) => (
          <EventRead key={index} of={event} connection={connection} />
        ))}
      </div>
    </FormDialog>
  );
}

/** Why a payment would not count as that of its order. Most senders do not say whether they count in cents. */
function misfitOf({ order, generic_type, amount, currency }: Read['events'][number], connection: Of['connection']) {
  if (!order || amount === null || generic_type !== 'payment_completed') return '';
  if (currency !== null && currency !== order.currency) return ', which is not the currency of the order.';
  const { label, options } = settings.amounts.amount_unit;
  const times = Number(amount) / Number(order.total);
  const unit = (times === 100 && options.minor) || (times.toFixed(6) === '0.010000' && options.major);
  if (connection && unit)
    return `. If that should be the total of the order, set “${label}” to “${unit}” under “Settings”.`;
  return times > 1 ? ', which is more than the total of the order.' : '';
}

function EventRead({ of: event, connection }: { of: Read['events'][number] } & Of) {
  const { order, amount, currency, event_type, generic_type, order_problem } = event;
  const names = useStatusNames();
  const isUnknown = connection && generic_type === 'custom_event' && !connection.types?.[event_type];
  const unknown =
    event_type === generic_type
      ? 'Custom event. If it means more, enter the field with its type under “Settings”; if it has none, say under “Event types” what custom_event means.'
      : `${event_type}: say under “Event types” what it means`;
  const isNamed = !connection || !order_problem?.startsWith('It names no order');
  const hint = isNamed ? '' : ' Enter the field with its number under “Settings”.';
  const shown = amount === null ? 'none' : <Money amount={amount} currency={currency ?? ''} />;
  const misfit = misfitOf(event, connection);
  return (
    <div class={order && !misfit ? 'note' : 'note warn'}>
      <Facts
        of={{
          Event: isUnknown ? unknown : inWords(generic_type ?? event_type),
          Amount: event.amount_problem ?? (
            <>
              {shown}
              {misfit}
            </>
          ),
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
