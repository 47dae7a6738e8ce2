import type { AnswerTo } from '@order-automation/api-gateway/client';
import { Options } from '../shell/forms';
import { useLoad } from '../shell/load';
import { Pager } from '../shell/pager';
import { Card, Empty, Shown, Status, Table, Time } from '../shell/parts';
import { setQuery, to } from '../shell/router';
import { api } from '../shell/session';

type Stored = Extract<AnswerTo<'GET /v1/webhooks/events'>, { ok: true }>['body']['events'][number];

/** States in which an event waits, and what for. */
export const waitingStates = {
  waiting: 'Waits for its order',
  held: 'Held: its sender is paused',
  verifying: 'Not confirmed by the wallet yet',
  accepted: 'On its way to evaluation',
} as const;
export type WaitingState = keyof typeof waitingStates;

/** Events that are stored and not evaluated yet: what each waits for, and until when. */
export function WaitingEvents({ state, page }: { state: WaitingState; page: number }) {
  const list = useLoad(() => api('GET /v1/webhooks/events', { query: { state, page, per_page: 50 } }), [state, page]);
  return (
    <>
      <label class="field">
        <span class="label">State</span>
        <select value={state} onChange={(event) => setQuery({ state: event.currentTarget.value, page: '' })}>
          <Options options={waitingStates} />
        </select>
      </label>
      <Card flush>
        <Shown of={list} rows={8}>
          {({ events, pagination }) =>
            events.length === 0 ? (
              <Empty title="No event is in this state.">
                <p>What has to wait stands here until it goes on by itself, or its time is over.</p>
              </Empty>
            ) : (
              <>
                <EventTable events={events} />
                <Pager of={pagination} />
              </>
            )
          }
        </Shown>
      </Card>
    </>
  );
}

function EventTable({ events }: { events: readonly Stored[] }) {
  return (
    <Table heads={['Received', 'State', 'Event', 'Waits for', 'Until']}>
      {events.map((event) => (
        <tr key={event.id}>
          <td>
            <Time at={event.received_at} />
          </td>
          <td>
            <Status value={event.state} />
          </td>
          <td>
            <a href={to(`/log/${event.process_id}`)}>{event.event_type}</a>
            <br />
            <small>{event.connection === null ? event.gateway : `${event.gateway}/${event.connection}`}</small>
          </td>
          <td data-label="Waits for">{event.waiting_for ?? event.reason ?? 'evaluation'}</td>
          <td data-label="Until">
            {event.waiting_until === undefined ? (
              <span class="soft">{event.state === 'held' ? 'it is resumed' : 'it goes on'}</span>
            ) : (
              <Time at={event.waiting_until} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
