import { senderText, typeText } from '../log/words';
import { Act } from '../shell/act';
import { open } from '../shell/dialogs';
import { countText } from '../shell/format';
import { type Columns, chosenOf, currentPage, Listing, orderColumn, Tabs } from '../shell/listing';
import { useAction, useGet, type Work } from '../shell/load';
import { Button, Card, Page, Problem, Status, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body } from '../shell/session';
import { ReplayMany, ResendMany } from './many-dialog';

type Dead = Body<'GET /v1/webhooks/dead-letters'>['dead_letters'][number];

/** What was given up, and the states in which an event waits. */
const lists = {
  dead: 'Given up',
  waiting: 'Waiting for their order',
  held: 'Held: sender is paused',
  verifying: 'Not confirmed by the wallet',
  accepted: 'On the way to evaluation',
} as const;

/** Events and deliveries that need a person, and events that wait. */
export function DeadLettersPage() {
  const state = chosenOf('state', lists);
  return state === 'dead' ? <GivenUp /> : <Waits state={state} />;
}

const tabs = <Tabs label="Lists" name="state" options={lists} />;

function Waits({ state }: { state: Exclude<keyof typeof lists, 'dead'> }) {
  const list = useGet('GET /v1/webhooks/events', { query: { state, page: currentPage(), per_page: 50 } });
  return (
    <Page title="Waiting events" sub="Events that are stored but not evaluated yet." stack>
      {tabs}
      <Card flush>
        <Listing
          of={list}
          rows={({ events }) => events}
          columns={waitingColumns}
          empty={{
            title: 'No event is in this state',
            children: <p>Events stay here until what they wait for happens, or their time runs out.</p>,
          }}
        />
      </Card>
    </Page>
  );
}

const waitingColumns: Columns<Body<'GET /v1/webhooks/events'>['events'][number]> = {
  Received: ({ received_at }) => <Time at={received_at} />,
  State: ({ state }) => <Status value={state} />,
  Event: ({ process_id, event_type, connection, gateway }) => (
    <>
      <a href={to(`/log/${process_id}`)}>{typeText(event_type)}</a>
      <br />
      <small>{senderText(connection ?? gateway)}</small>
    </>
  ),
  'Waits for': { named: true, cell: ({ waiting_for, reason }) => waiting_for ?? reason ?? 'evaluation' },
  Until: {
    named: true,
    cell: ({ waiting_until, state }) => {
      if (waiting_until !== undefined) return <Time at={waiting_until} />;
      return <span class="soft">{state === 'held' ? 'you resume the sender' : 'it is evaluated'}</span>;
    },
  },
};

/** What was given up: events to replay, deliveries to send again. */
function GivenUp() {
  const letters = useGet('GET /v1/webhooks/dead-letters', { query: { page: currentPage(), per_page: 50 } });
  const action = useAction();
  const again = ({ kind, id }: Dead) => (
    <Act
      text={kind === 'event' ? 'Replay' : 'Send again'}
      class="small"
      label={`${kind === 'event' ? 'Replay' : 'Send again'} ${id}`}
      action={action}
      work={(): ReturnType<Work<unknown>> =>
        kind === 'event'
          ? api('POST /v1/webhooks/events/{id}/replay', { params: { id }, body: {} })
          : api('POST /v1/deliveries/{id}/resend', { params: { id } })
      }
      done={kind === 'event' ? 'Replaying the event...' : 'Sending again...'}
      then={letters.reload}
    />
  );
  const resend = <ResendMany filter={{ state: 'failed' }} done={letters.reload} />;
  const { data } = letters;
  const found = data !== undefined && data.pagination.total > 0;
  return (
    <Page
      title="Dead letters"
      sub="Events and deliveries that were given up, and why."
      stack
      actions={
        found && (
          <>
            <Button text="Replay all events" act={() => open(<ReplayMany done={letters.reload} />)} />
            <Button text="Send all deliveries again" act={() => open(resend)} />
          </>
        )
      }
    >
      {tabs}
      {found && (
        <Card title="Reasons">
          <ul class="plain">
            {data.reasons.map(({ reason, count }) => (
              <li key={reason}>
                <strong>{countText(count)}</strong> {reason}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card flush>
        <Problem failure={action.failure} />
        <Listing
          of={letters}
          rows={({ dead_letters }) => dead_letters}
          columns={{ ...deadColumns, Again: again }}
          empty={{
            title: 'Nothing was given up',
            children: <p>Events that cannot be evaluated and deliveries that cannot be sent appear here.</p>,
          }}
        />
      </Card>
    </Page>
  );
}

const deadColumns: Columns<Dead> = {
  Time: ({ received_at }) => <Time at={received_at} />,
  What: (letter) => (
    <>
      <Status value={letter.kind} /> <a href={to(`/log/${letter.process_id}`)}>{targetOf(letter)}</a>
    </>
  ),
  Why: ({ reason }) => reason,
  ...orderColumn,
};

const targetOf = (letter: Dead) => (letter.kind === 'event' ? typeText(letter.event_type) : letter.target);
