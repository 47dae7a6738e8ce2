import { useMemo, useState } from 'preact/hooks';
import { Copy } from '../shell/act';
import { open } from '../shell/dialogs';
import { durationText, inWords, moneyText, orderNamed, plural } from '../shell/format';
import { Check, FormDialog } from '../shell/forms';
import { lookEvery, useEvery, useGet } from '../shell/load';
import type { Params } from '../shell/match';
import { useOrderNumber } from '../shell/order-number';
import { Button, ButtonLink, Card, Facts, Page, Said, Shown, Status, Time } from '../shell/parts';
import { Raw } from '../shell/raw';
import { go, place, to } from '../shell/router';
import { api, mayManage, mayTest } from '../shell/session';
import { Story } from './story';
import { senderText, typeText } from './words';
import './log.css';

/** Milliseconds for which a process that is not finished is looked at. */
const lookFor = 120_000;
/** Milliseconds after which an entry is sealed. */
const untilSealed = 60_000;

/** One process: everything that followed from one webhook or one change. */
export function ProcessPage({ params }: { params: Params }) {
  const { process_id = '' } = params;
  const process = useGet('GET /v1/audit-log/process/{process_id}', { params: { process_id } });
  const steps = process.data?.logs ?? [];
  const first = steps[0];
  // A replay repeats what was received long ago.
  const began = steps.find(({ event_type }) => event_type === 'webhook_replayed') ?? first;
  const last = steps.at(-1);
  // A delivery that arrives later does not undo a warning.
  const ended = steps.findLast(({ details, status }) => 'outcome' in details && status === 'warning') ?? last;
  const outcome = String(ended?.details.outcome ?? 'success').replace(/^success$/, ended?.status ?? '');
  const openedAt = useMemo(Date.now, [process_id]);
  const isAwaited = process.failure?.code === 'svc_process_not_found';
  const unfinished =
    (isAwaited || first?.event_type === 'webhook_received') &&
    !steps.some(({ event_type, details }) => 'outcome' in details || event_type === 'dead_lettered') &&
    Date.now() - (began ? Date.parse(began.timestamp) : openedAt) < lookFor;
  useEvery(lookEvery, process.reload, unfinished);

  const orders = [...new Set(steps.flatMap(({ order_id }) => order_id ?? []))];
  const [order = null] = orders.length === 1 ? orders : [];
  const number = useOrderNumber(order);
  const took = began && last ? Date.parse(last.timestamp) - Date.parse(began.timestamp) : 0;
  return (
    <Page
      title={order === null ? 'Process' : orderNamed(`Process of order ${order}`, order, number)}
      sub={
        <>
          {began && <Said text={`Began ${began.timestamp}, `} />}process id{' '}
          <Copy text={process_id} of="the process id" />
        </>
      }
      actions={<OrderLinks orders={orders} process={process_id} />}
    >
      <div class="columns">
        <div>
          <Card title="What happened">
            <Shown of={isAwaited && unfinished ? { ...process, failure: undefined } : process} rows={10}>
              {({ logs, pagination }) => (
                <>
                  <Story steps={logs} />
                  {pagination.has_next && (
                    <p class="note">
                      The first {plural(logs.length, 'entry', 'entries')} of {pagination.total}.{' '}
                      <a href={to('/log', { view: 'flat', process_id })}>See all in the log</a>
                    </p>
                  )}
                </>
              )}
            </Shown>
            {unfinished && (
              <p role="status" class="soft">
                {isAwaited
                  ? 'Nothing about it is in the log yet. New entries appear here.'
                  : 'Not finished yet. New entries appear here.'}
              </p>
            )}
          </Card>
        </div>
        <div>
          {first && last && ended && (
            <Card title="At a glance" stack>
              <Facts
                of={{
                  Outcome: <Status value={ended.status} label={inWords(outcome)} />,
                  Took: durationText(took),
                  Entries: process.data?.pagination.total,
                  Source: inWords(first.source),
                  Test: first.is_test && 'Nothing was changed',
                }}
              />
              {Date.now() - Date.parse(last.timestamp) > untilSealed ? (
                <p class="buttons">
                  <a class="button" href={`${place.base}/v1/audit-log/receipt/${process_id}`} download>
                    Receipt
                  </a>
                </p>
              ) : (
                <small>A minute after the last entry, this page has a receipt to download.</small>
              )}
            </Card>
          )}
          {mayManage.value && <Received processId={process_id} />}
        </div>
      </div>
    </Page>
  );
}

function OrderLinks({ orders, process }: { orders: readonly number[]; process: string }) {
  const query = { process, order: String(orders[0]) };
  return (
    <>
      {orders.slice(0, 5).map((order) => (
        <ButtonLink key={order} text={`Order ${order}`} to={`/orders/${order}`} />
      ))}
      {orders.length === 1 && mayTest() && <ButtonLink text="Test the rules on it" to="/debugger" query={query} />}
    </>
  );
}

/** The webhook of a process: what it says, its bytes, and a replay. */
function Received({ processId }: { processId: string }) {
  const events = useGet('GET /v1/webhooks/events', { query: { process_id: processId, per_page: 5 } });
  const event = events.data?.events[0];
  useEvery(lookEvery, events.reload, event?.state === 'accepted');
  if (!event) return null;
  const finished = event.state === 'done' || event.state === 'dead';
  return (
    <>
      <Card title="The webhook" stack>
        <Facts
          of={{
            From: event.connection ?? senderText(event.gateway),
            Event: typeText(event.event_type),
            'Event type': event.generic_type !== null && inWords(event.generic_type),
            Amount: event.amount !== null && moneyText(event.amount, event.currency ?? ''),
            State: <Status value={event.state} />,
            Reason: event.reason && <Said text={event.reason} />,
            Received: <Time at={event.received_at} />,
          }}
        />
        {finished && (
          <p class="buttons">
            <Button text="Replay" act={() => open(<Replay id={event.id} />)} />
          </p>
        )}
      </Card>
      <Payload id={event.id} />
    </>
  );
}

function Payload({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Payload">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Payload and headers</summary>
        {open && <Bytes id={id} />}
      </details>
      <p>
        <small>Secrets and personal data are masked.</small>
      </p>
    </Card>
  );
}

function Bytes({ id }: { id: string }) {
  const event = useGet('GET /v1/webhooks/events/{id}', { params: { id } });
  return (
    <Shown of={event} rows={6}>
      {({ payload, headers }) => {
        const text = typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2);
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        return (
          <div class="stack">
            <p class="buttons">
              <Copy text={text} of="the payload" />
            </p>
            <Raw text={text} />
            <Raw text={lines.join('\n')} />
          </div>
        );
      }}
    </Shown>
  );
}

function Replay({ id }: { id: string }) {
  return (
    <FormDialog
      title="Replay this event?"
      text="Replay"
      work={({ rules }) => {
        const body = { rules: rules === 'original' ? rules : 'current' } as const;
        return api('POST /v1/webhooks/events/{id}/replay', { params: { id }, body });
      }}
      done="Replaying the event..."
      then={({ process_id }) => go(`/log/${process_id}`)}
    >
      <p>It is evaluated again. Actions that were already done are not done twice.</p>
      <fieldset class="form">
        <legend>Evaluate it with</legend>
        <Check type="radio" name="rules" value="current" label="The current rules" defaultChecked />
        <Check type="radio" name="rules" value="original" label="The rules as they were then" />
      </fieldset>
    </FormDialog>
  );
}
