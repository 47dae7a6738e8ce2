import { typeText } from '../log/words';
import { Act } from '../shell/act';
import { open } from '../shell/dialogs';
import { countText } from '../shell/format';
import { type Columns, currentPage, Listing, orderColumn } from '../shell/listing';
import { useAction, useGet, type Work } from '../shell/load';
import { Button, Card, Page, Problem, Status, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body } from '../shell/session';
import { ReplayMany, ResendMany } from './many-dialog';

type Dead = Body<'GET /v1/webhooks/dead-letters'>['dead_letters'][number];

/** What was given up: events to replay, deliveries to send again. */
export function DeadLettersPage() {
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
            <Button
              text="Replay all events"
              act={() => open(<ReplayMany filter={{ state: 'dead' }} done={letters.reload} />)}
            />
            <Button text="Send all deliveries again" act={() => open(resend)} />
          </>
        )
      }
    >
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
