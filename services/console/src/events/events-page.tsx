import { useState } from 'preact/hooks';
import { ReplayMany } from '../deliveries/many-dialog';
import { gatewaysNamed, senderText, typeText } from '../log/words';
import { Act } from '../shell/act';
import { Ago } from '../shell/ago';
import { open } from '../shell/dialogs';
import { countText, plural, timeText } from '../shell/format';
import { Check } from '../shell/forms';
import { type Columns, chosenOf, Listing, orderColumn, paging, Tabs } from '../shell/listing';
import { lookEvery, useAction, useEvery, useGet, type Work } from '../shell/load';
import { Button, Card, Money, Page, Problem, Said, Status } from '../shell/parts';
import { Period } from '../shell/period';
import { address, place, to } from '../shell/router';
import { SavedViews } from '../shell/saved-views';
import { api, type Body } from '../shell/session';
import states from './states.json';

type Stored = Body<'GET /v1/webhooks/events'>['events'][number];

/** What the address says, as the service takes it. */
function filterOf() {
  const { gateway, connection, order_id, from, to: until } = address.value.query;
  const state = chosenOf('state', states);
  return {
    ...(state !== 'all' && { state }),
    ...(gateway && { gateway }),
    ...(connection && { connection }),
    ...(order_id && { order_id: Number(order_id) }),
    ...(from && { from }),
    ...(until && { to: until }),
  };
}

/** Every event that was received: where it is, what became of it, and again. */
export function EventsPage() {
  const filter = filterOf();
  const { state } = filter;
  const list = useGet('GET /v1/webhooks/events', { query: { ...filter, ...paging() } });
  useEvery(lookEvery, list.reload, list.data?.events.some((one) => one.state === 'accepted') === true);
  const [picked, setPicked] = useState<readonly string[]>([]);
  // What another filter or page has shown is not replayed unseen.
  const selected = (list.data?.events ?? []).flatMap(({ id }) => (picked.includes(id) ? id : []));
  const action = useAction();
  const reload = async () => {
    setPicked([]);
    await list.reload();
  };
  const pick = ({ id, event_type, received_at }: Stored) => (
    <Check
      label=""
      aria-label={`Select ${typeText(event_type)} of ${timeText(received_at, Date.now(), place.timeZone)}`}
      checked={picked.includes(id)}
      onChange={() => setPicked(picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id])}
    />
  );
  const isFiltered = Object.keys(filter).length > 0;
  const { page: _, ...kept } = address.value.query;
  const many = <ReplayMany filter={filter} done={reload} />;
  return (
    <Page
      title="Events"
      sub="Webhooks as they were received and stored. A replay evaluates one again; what was done is not done twice."
      stack
      actions={
        <>
          <Act
            text={selected.length > 0 ? `Replay ${plural(selected.length, 'selected event')}` : 'Replay selected'}
            disabled={selected.length === 0}
            action={action}
            work={() => replayed(selected)}
            done={(count) => `${plural(count, 'event')} replayed.`}
            then={reload}
          />
          <Button text="Replay all that match" act={() => open(many)} />
          <SavedViews page="events" query={kept} />
        </>
      }
    >
      <Tabs label="State" name="state" options={states} />
      <div class="buttons">
        <Period from="from" until="to" />
        {isFiltered && <a href={to('/events')}>Clear filters</a>}
      </div>
      {state === 'dead' && <Reasons />}
      <Card flush>
        <Problem failure={action.failure} />
        <Listing
          of={list}
          rows={({ events }) => events}
          columns={{ Select: (one) => canReplay(one) && pick(one), ...columns }}
          empty={{
            title: isFiltered ? 'No event matches these filters' : 'No event has arrived yet',
            children: state === 'refused' ? <Unproven /> : <p>{stored}</p>,
          }}
        />
      </Card>
    </Page>
  );
}

const stored = 'Events of connected gateways and senders appear here as soon as they are stored.';

/** A webhook without a right signature is no event. */
const Unproven = () => (
  <p>
    A webhook with a wrong signature is not stored.{' '}
    <a href={to('/log', { event_type: 'webhook_rejected' })}>See refused webhooks in the log</a>
  </p>
);

/** Why events were given up, and how many for each reason. */
function Reasons() {
  const { data } = useGet('GET /v1/webhooks/dead-letters', { query: { kind: 'event', per_page: 1 } });
  if (!data || data.reasons.length === 0) return null;
  return (
    <ul class="plain note">
      {data.reasons.map(({ reason, count }) => (
        <li key={reason}>
          <strong>{countText(count)}</strong> {reason}
        </li>
      ))}
    </ul>
  );
}

const canReplay = ({ state }: Stored): boolean => state === 'done' || state === 'dead';

/** One after the other; how many, or why one was refused. */
async function replayed(ids: readonly string[]): ReturnType<Work<number>> {
  for (const id of ids) {
    const answer = await api('POST /v1/webhooks/events/{id}/replay', { params: { id }, body: {} });
    if (!answer.ok) return answer;
  }
  return { ok: true, body: ids.length };
}

const columns: Columns<Stored> = {
  Received: ({ received_at }) => <Ago at={received_at} />,
  Event: ({ process_id, event_type, connection, gateway }) => (
    <>
      <a href={to(`/log/${process_id}`)}>{typeText(event_type)}</a>
      <br />
      <small>
        <a href={to('/events', { ...address.value.query, gateway, connection: connection ?? '', page: '' })}>
          {senderText(connection ?? gateway)}
        </a>
      </small>
    </>
  ),
  ...orderColumn,
  Amount: {
    class: 'number',
    named: true,
    cell: ({ amount, currency }) => amount !== null && currency !== null && <Money {...{ amount, currency }} />,
  },
  State: ({ state, outcome, reason, waiting_for, waiting_until, is_test, replay_of }) => (
    <>
      <Status value={state === 'done' ? (outcome ?? state) : state} /> {is_test && <Status value="test" />}{' '}
      {replay_of && <Status value="replay" />}
      {(waiting_for ?? reason) && <br />}
      <small>
        {waiting_for ? gatewaysNamed(`waits for ${waiting_for}`) : reason}
        {waiting_until && <Said text={` until ${waiting_until}`} />}
      </small>
    </>
  ),
};
