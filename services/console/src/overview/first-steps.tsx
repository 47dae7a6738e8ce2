import { useRef, useState } from 'preact/hooks';
import { Act } from '../shell/act';
import { durationText } from '../shell/format';
import { useAction, useGet } from '../shell/load';
import { ButtonLink, Card, Problem, Status } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body, user } from '../shell/session';
import steps from './steps.json';

type Step = keyof Body<'GET /v1/first-steps'>['steps'];

/** What an installation still needs, until it is all done or nobody wants to see it. */
export function FirstSteps() {
  const { data, reload } = useGet('GET /v1/first-steps');
  const action = useAction();
  const wasOpen = useRef(false);
  if (!data) return null;
  const shown = (Object.keys(steps) as Step[]).filter(
    (step) => step !== 'user' || user.value?.role === 'administrator',
  );
  const done = shown.filter((step) => data.steps[step] === true).length;
  // The last step stays in sight with what it led to until the page is left.
  wasOpen.current ||= done < shown.length;
  if (data.dismissed || !wasOpen.current) return null;
  const hide = (
    <Act
      text="Hide"
      label="Hide the first steps"
      class="small"
      action={action}
      work={() => api('PUT /v1/first-steps', { body: { dismissed: true } })}
      done="The first steps are hidden for everybody"
      then={reload}
    />
  );
  return (
    <Card title={`First steps: ${done} of ${shown.length} done`} actions={hide} flush>
      <Problem failure={action.failure} />
      <ol class="plain needs steps">
        {shown.map((step) => (
          <Row key={step} step={step} done={data.steps[step] === true} sent={reload} />
        ))}
      </ol>
    </Card>
  );
}

type RowProps = { readonly step: Step; readonly done: boolean; readonly sent: () => Promise<void> };

function Row({ step, done, sent }: RowProps) {
  const { title, why, path } = steps[step];
  return (
    <li class={done ? 'done' : ''}>
      <span>
        <strong>{title}</strong> {done ? <Status value="done" /> : <small>{why}</small>}
      </span>
      {step === 'test' ? <SendTest sent={sent} /> : !done && <ButtonLink text={title} class="small" to={path} />}
    </li>
  );
}

/** Sends a test that passes through every step, and leads to its story. */
function SendTest({ sent }: Pick<RowProps, 'sent'>) {
  const action = useAction();
  const [report, setReport] = useState<Body<'POST /v1/webhooks/test/{gateway}'>>();
  const body = { event_type: 'payment_completed' };
  return (
    <>
      <Act
        text={action.busy ? 'Sending...' : 'Send a test payment'}
        class="small"
        action={action}
        work={() => api('POST /v1/webhooks/test/{gateway}', { params: { gateway: 'gateway_card' }, body })}
        done={({ test_success }) => (test_success ? 'The test was received and evaluated' : 'The test did not arrive')}
        then={(answer) => {
          setReport(answer);
          return sent();
        }}
      />
      <Problem failure={action.failure} />
      {report && (
        <p aria-live="polite">
          {report.test_success ? 'It arrived and was evaluated' : 'It did not arrive'} in{' '}
          {durationText(report.performance.total_ms)}.{' '}
          <a href={to(`/log/${report.processing.process_id}`)}>See what happened</a> {report.recommendations.join(' ')}
        </p>
      )}
    </>
  );
}
