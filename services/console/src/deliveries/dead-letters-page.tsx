import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useState } from 'preact/hooks';
import { say } from '../shell/dialogs';
import { countText, inWords } from '../shell/format';
import { useAction, useLoad } from '../shell/load';
import { Pager } from '../shell/pager';
import { Button, Card, Empty, Page, Problem, Shown, Status, Table, Time } from '../shell/parts';
import { address, to } from '../shell/router';
import { api } from '../shell/session';
import { ReplayMany } from './replay-many';
import { ResendMany } from './resend-many';
import { WaitingEvents, type WaitingState, waitingStates } from './waiting-events';

type Dead = Extract<AnswerTo<'GET /v1/webhooks/dead-letters'>, { ok: true }>['body']['dead_letters'][number];

/** Events and deliveries that need a person, and events that wait. */
export function DeadLettersPage() {
  const { query } = address.value;
  const page = Number(query.page ?? '1') || 1;
  const state = Object.keys(waitingStates).find((one) => one === query.state) as WaitingState | undefined;
  return state === undefined ? <GivenUp page={page} /> : <Waits state={state} page={page} />;
}

/** One list beside the other. */
function Lists({ waiting }: { waiting: boolean }) {
  return (
    <nav class="buttons" aria-label="Lists">
      <a class="button small" href={to('/dead-letters')} aria-current={waiting ? undefined : 'true'}>
        Given up
      </a>
      <a
        class="button small"
        href={to('/dead-letters', { state: 'waiting' })}
        aria-current={waiting ? 'true' : undefined}
      >
        Waiting
      </a>
    </nav>
  );
}

function Waits({ state, page }: { state: WaitingState; page: number }) {
  return (
    <Page title="Events that wait" sub="Stored and not evaluated yet: what for, and until when.">
      <div class="stack">
        <Lists waiting />
        <WaitingEvents state={state} page={page} />
      </div>
    </Page>
  );
}

/** What was given up: events to replay, deliveries to send again. */
function GivenUp({ page }: { page: number }) {
  const letters = useLoad(() => api('GET /v1/webhooks/dead-letters', { query: { page, per_page: 50 } }), [page]);
  const [open, setOpen] = useState<'events' | 'deliveries'>();
  const actions = letters.data && letters.data.pagination.total > 0 && (
    <>
      <Button text="Replay all events" act={() => setOpen('events')} />
      <Button text="Send all deliveries again" act={() => setOpen('deliveries')} />
    </>
  );
  const close = () => setOpen(undefined);
  return (
    <Page title="Dead letters" sub="What was given up, and why." actions={actions}>
      <div class="stack">
        <Lists waiting={false} />
        <Shown of={letters} rows={8}>
          {({ dead_letters, reasons, pagination }) =>
            dead_letters.length === 0 ? (
              <Card flush>
                <Empty title="Nothing was given up.">
                  <p>Events that could not be evaluated, and deliveries that were not taken, would stand here.</p>
                </Empty>
              </Card>
            ) : (
              <>
                <Card title="Reasons">
                  <ul class="plain">
                    {reasons.map(({ reason, count }) => (
                      <li key={reason}>
                        <strong>{countText(count)}</strong> {reason}
                      </li>
                    ))}
                  </ul>
                </Card>
                <Card flush>
                  <Letters letters={dead_letters} reload={letters.reload} />
                  <Pager of={pagination} />
                </Card>
              </>
            )
          }
        </Shown>
      </div>
      {open === 'events' && <ReplayMany close={close} done={letters.reload} />}
      {open === 'deliveries' && <ResendMany filter={{ state: 'failed' }} close={close} done={letters.reload} />}
    </Page>
  );
}

function Letters({ letters, reload }: { letters: readonly Dead[]; reload: () => Promise<void> }) {
  const { busy, failure, run } = useAction();
  const again = async ({ kind, id }: Dead) => {
    const done =
      kind === 'event'
        ? await run(() => api('POST /v1/webhooks/events/{id}/replay', { params: { id }, body: {} }))
        : await run(() => api('POST /v1/deliveries/{id}/resend', { params: { id } }));
    if (!done) return;
    say(kind === 'event' ? 'The event is replayed.' : 'The delivery is sent again.');
    await reload();
  };
  return (
    <>
      <Problem failure={failure} />
      <Table heads={['Time', 'What', 'Why', 'Order', 'Again']}>
        {letters.map((letter) => (
          <tr key={letter.id}>
            <td>
              <Time at={letter.received_at} />
            </td>
            <td>
              <Status value={letter.kind} label={inWords(letter.kind)} />{' '}
              <a href={to(`/log/${letter.process_id}`)}>
                {letter.kind === 'event' ? letter.event_type : letter.target}
              </a>
            </td>
            <td>{letter.reason}</td>
            <td data-label={letter.order_id === null ? undefined : 'Order'}>
              {letter.order_id !== null && <a href={to(`/orders/${letter.order_id}`)}>{letter.order_id}</a>}
            </td>
            <td>
              <Button
                text={letter.kind === 'event' ? 'Replay' : 'Send again'}
                class="small"
                disabled={busy}
                label={`${letter.kind === 'event' ? 'Replay' : 'Send again'} ${letter.id}`}
                act={() => again(letter)}
              />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
