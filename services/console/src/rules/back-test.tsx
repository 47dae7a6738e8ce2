import { useState } from 'preact/hooks';
import { countText, inWords, plural } from '../shell/format';
import { SelectField } from '../shell/forms';
import { type Refusal, useAction, useEvery } from '../shell/load';
import { Button, Card, Money, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body } from '../shell/session';
import type { RuleData } from './draft';
import { Refused } from './try-out';

type Job = Body<'GET /pro/v1/debug-rule/backtests/{id}'>['data'];
type Group = Job['result']['matching'];
type BackTestProps = {
  readonly rule: RuleData;
  /** The saved rule beside it. */
  readonly id?: number | undefined;
};

const lookEvery = 400;
const sizes = { 100: '100', 1000: '1,000', 10000: '10,000', 100000: '100,000' };

/** Starts a job; the answer is a stream, whose first piece is all of it. */
async function begin(body: object): Promise<{ readonly ok: true; readonly body: { readonly data: Job } } | Refusal> {
  return (await api('POST /pro/v1/debug-rule/backtest', { body: body as never })) as never;
}

/** What the edited rule would have done with past events; changes nothing. */
export function BackTest({ rule, id }: BackTestProps) {
  const [last, setLast] = useState(1_000);
  const [job, setJob] = useState<Job>();
  const [ran, setRan] = useState('');
  const edited = JSON.stringify(rule);
  const { busy, failure, run } = useAction();
  const isRunning = job?.state === 'running';
  const params = { id: job?.id ?? '' };
  const look = async () => {
    const answer = await api('GET /pro/v1/debug-rule/backtests/{id}', { params }).catch(() => null);
    if (answer?.ok) setJob(answer.body.data);
  };
  useEvery(lookEvery, look, isRunning);
  const start = async () => {
    const body = { rule_data: rule, last, ...(id === undefined ? {} : { rule_id: id }) };
    setJob(undefined);
    setRan(edited);
    setJob((await run(() => begin(body)))?.data);
  };
  const cancel = async () => {
    const answer = await run(() => api('DELETE /pro/v1/debug-rule/backtests/{id}', { params }));
    if (answer) setJob(answer.data);
  };
  return (
    <Card title="Test it on past events" stack>
      <SelectField
        label="Events"
        hint="The newest ones, with their orders as they were then."
        options={sizes}
        value={last}
        onChange={(event) => setLast(Number(event.currentTarget.value))}
      />
      <p class="buttons">
        {isRunning ? (
          <Button text="Cancel" act={cancel} />
        ) : (
          <Button text="Run back-test" disabled={busy || rule.trigger.id === ''} act={start} />
        )}
      </p>
      <Refused failure={failure} />
      {job && isRunning && <Progress job={job} />}
      {job && !isRunning && (ran === edited ? <Found job={job} /> : <p>You changed the rule since. Run it again.</p>)}
      <small>This changes nothing.</small>
    </Card>
  );
}

function Progress({ job: { looked, total } }: { job: Job }) {
  return (
    <p>
      <progress aria-label="Progress" value={looked} max={Math.max(total, 1)} />{' '}
      <small>
        {countText(looked)} of {plural(total, 'event')}
      </small>
    </p>
  );
}

function Found({ job: { state, reason, looked, result } }: { job: Job }) {
  if (state === 'failed') return <p class="note bad">{reason}</p>;
  const { matching, newly_matching, no_longer_matching, unknown } = result;
  const differs = newly_matching.events + (no_longer_matching?.events ?? 0) > 0;
  return (
    <div class="stack" aria-live="polite">
      <p>
        {plural(looked, 'event')} checked{state === 'cancelled' ? ' before you cancelled' : ''}.
      </p>
      <GroupOf title="Would have run" of={matching} />
      {differs && no_longer_matching && (
        <>
          <GroupOf title="Only with your changes" of={newly_matching} />
          <GroupOf title="Only without your changes" of={no_longer_matching} />
        </>
      )}
      {unknown > 0 && (
        <p class="soft">{plural(unknown, 'event')} cannot be judged: data that the rule needs was not recorded.</p>
      )}
    </div>
  );
}

const shownSamples = 5;

function GroupOf({ title, of: { events, orders, value, actions, samples } }: { title: string; of: Group }) {
  return (
    <div>
      <strong>{title}</strong>
      <p>
        {events === 0 ? 'Never.' : `${plural(events, 'event')}, ${plural(orders, 'order')}`}
        {value.map(({ total, currency }) => (
          <span key={currency}>
            , <Money amount={total} currency={currency} />
          </span>
        ))}
      </p>
      {actions.map(({ id, label, events: times }) => (
        <p key={id} class="soft">
          {label}: {plural(times, 'time')}
        </p>
      ))}
      {samples.length > 0 && (
        <ul class="plain">
          {samples.slice(0, shownSamples).map(({ event_id, process_id, order_id, at, event_type }) => (
            <li key={event_id}>
              <a href={to(`/log/${process_id}`)}>{order_id === null ? inWords(event_type) : `Order ${order_id}`}</a>{' '}
              <small>
                <Time at={at} />
              </small>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
