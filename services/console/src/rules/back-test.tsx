import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useEffect, useState } from 'preact/hooks';
import { countText, inWords, plural } from '../shell/format';
import { Field } from '../shell/forms';
import { type Refusal, useAction } from '../shell/load';
import { Button, Card, Money, Problem, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api } from '../shell/session';
import type { RuleData } from './draft';
import { Extended } from './try-out';

type Job = Extract<AnswerTo<'GET /pro/v1/debug-rule/backtests/{id}'>, { ok: true }>['body']['data'];
type Group = Job['result']['matching'];
type BackTestProps = {
  /** As it would be saved. */
  readonly rule: RuleData;
  /** The saved rule beside it. */
  readonly id?: number | undefined;
};

const lookEvery = 400;
const sizes = [100, 1_000, 10_000, 100_000];

/** Begins a job; the interface answers it as a stream, whose first piece is all of it. */
async function begin(body: object): Promise<{ readonly ok: true; readonly body: { readonly data: Job } } | Refusal> {
  return (await api('POST /pro/v1/debug-rule/backtest', { body: body as never })) as never;
}

/** What the rule as it is being edited would have done with past events; nothing is changed by it. */
export function BackTest({ rule, id }: BackTestProps) {
  const [last, setLast] = useState(1_000);
  const [job, setJob] = useState<Job>();
  const { busy, failure, run } = useAction();
  const isRunning = job?.state === 'running';
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(async () => {
      const answer = await api('GET /pro/v1/debug-rule/backtests/{id}', { params: { id: job.id } }).catch(() => null);
      if (answer?.ok) setJob(answer.body.data);
    }, lookEvery);
    return () => clearInterval(timer);
  }, [isRunning, job?.id]);
  const start = async () => {
    const body = { rule_data: rule, last, ...(id === undefined ? {} : { rule_id: id }) };
    setJob((await run(() => begin(body)))?.data);
  };
  const cancel = async () => {
    const answer = await run(() => api('DELETE /pro/v1/debug-rule/backtests/{id}', { params: { id: job?.id ?? '' } }));
    if (answer) setJob(answer.data);
  };
  if (failure?.code === 'svc_licence_required')
    return (
      <Card title="Try it on past events">
        <Extended text={failure.message} />
      </Card>
    );
  return (
    <Card title="Try it on past events">
      <div class="stack">
        <Field label="Events" hint="The newest, by their orders as they were then.">
          {(control) => (
            <select {...control} value={last} onChange={(event) => setLast(Number(event.currentTarget.value))}>
              {sizes.map((size) => (
                <option key={size} value={size}>
                  {countText(size)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <p class="buttons">
          {isRunning ? (
            <Button text="Cancel" act={cancel} />
          ) : (
            <Button text="Look back" disabled={busy || rule.trigger.id === ''} act={start} />
          )}
        </p>
        {failure?.code === 'svc_validation_failed' ? (
          <p class="soft">Fill in the settings of every part first.</p>
        ) : (
          <Problem failure={failure} />
        )}
        {job && isRunning && <Progress job={job} />}
        {job && !isRunning && <Found job={job} />}
        <small>Nothing is changed by this.</small>
      </div>
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

function Found({ job: { state, reason, looked, compared_with, result } }: { job: Job }) {
  if (state === 'failed') return <p class="note bad">{reason}</p>;
  const { matching, newly_matching, no_longer_matching, unchanged, unknown } = result;
  return (
    <div class="stack" aria-live="polite">
      <p>
        {plural(looked, 'event')} {looked === 1 ? 'was' : 'were'} looked at
        {state === 'cancelled' ? ' until it was cancelled' : ''}.
      </p>
      {compared_with === null ? (
        <GroupOf title="It would have run" of={matching} />
      ) : (
        <>
          <GroupOf title="It would run now, and did not before" of={newly_matching} />
          {no_longer_matching && <GroupOf title="It ran before, and would not now" of={no_longer_matching} />}
          <p class="soft">
            Unchanged: {countText(unchanged.matching)} would run as before, {countText(unchanged.not_matching)} would
            not.
          </p>
        </>
      )}
      {unknown > 0 && (
        <p class="soft">{plural(unknown, 'event')} cannot be judged: what the rule asks for was not recorded.</p>
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
