import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Act } from '../shell/act';
import { durationText } from '../shell/format';
import { useAction, useGet } from '../shell/load';
import { Button, ButtonLink, Card, Problem, Status } from '../shell/parts';
import { to } from '../shell/router';
import { api, type Body, user } from '../shell/session';

type Known = Body<'GET /v1/first-steps'>;
type Step = keyof Known['steps'];

/** What leads to each step, and what it is good for. */
const steps: Readonly<Record<Step, { title: string; why: string; path: string; part?: string; button: string }>> = {
  password: {
    title: 'Change your password',
    why: 'The one that you were given stands in a file or in somebody’s memory.',
    path: '/settings',
    part: 'account',
    button: 'Change password',
  },
  sender: {
    title: 'Connect a gateway',
    why: 'It sends a webhook for each payment. Done when the first one has arrived.',
    path: '/connections',
    button: 'Connect a gateway',
  },
  test: {
    title: 'Send a test',
    why: 'A signed test payment is received and evaluated by your rules. It changes no order.',
    path: '/connections',
    button: 'Send a test',
  },
  rule: {
    title: 'Make a rule',
    why: 'It says what happens to an order after a payment, a refund or a dispute.',
    path: '/rules/new',
    button: 'Make a rule',
  },
  notification: {
    title: 'Get told when something fails',
    why: 'An e-mail or a call when events are given up or a sender is refused.',
    path: '/settings',
    part: 'notifications',
    button: 'Add a notification',
  },
  user: {
    title: 'Invite somebody',
    why: 'Everyone has an account of their own, so the log says who did what.',
    path: '/settings',
    part: 'users',
    button: 'Invite somebody',
  },
};

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
        {shown.map((step) =>
          step === 'test' ? (
            <SendTest key={step} done={data.steps.test === true} sent={reload} />
          ) : (
            <Row key={step} step={step} done={data.steps[step] === true} />
          ),
        )}
      </ol>
    </Card>
  );
}

type RowProps = { readonly step: Step; readonly done: boolean; readonly button?: ComponentChildren };

function Row({ step, done, button, children }: RowProps & { readonly children?: ComponentChildren }) {
  const { title, why, path, part, button: text } = steps[step];
  return (
    <li class={done ? 'done' : ''}>
      <span>
        <strong>{title}</strong> {done && <Status value="done" />}
        {!done && <small>{why}</small>}
      </span>
      {button ?? (!done && <ButtonLink text={text} class="small" to={path} query={part ? { part } : {}} />)}
      {children}
    </li>
  );
}

type Report = Body<'POST /v1/webhooks/test/{gateway}'>;

/** Sends a test that passes through every step, and shows each. */
function SendTest({ done, sent }: { done: boolean; sent: () => Promise<void> }) {
  const { busy, failure, run } = useAction();
  const [report, setReport] = useState<Report>();
  const send = async () => {
    setReport(undefined);
    const body = { event_type: 'payment_completed' };
    setReport(await run(() => api('POST /v1/webhooks/test/{gateway}', { params: { gateway: 'gateway_card' }, body })));
    await sent();
  };
  const text = busy ? 'Sending...' : 'Send a test payment';
  return (
    <Row step="test" done={done} button={<Button text={text} class="small" disabled={busy} act={send} />}>
      <Problem failure={failure} />
      {report && <Travel key={report.test_id} report={report} />}
    </Row>
  );
}

/** Milliseconds between two steps that are shown, so that a person can follow. */
const pace = 350;

function Travel({ report }: { report: Report }) {
  const { entries, process_id } = report.processing;
  const [shown, setShown] = useState(1);
  useEffect(() => {
    const timer = setInterval(() => setShown((count) => count + 1), pace);
    return () => clearInterval(timer);
  }, []);
  return (
    <div aria-live="polite" class="stack">
      <ol class="plain">
        {entries.slice(0, shown).map(({ id, status, summary }) => (
          <li key={id}>
            <Status value={status} /> {summary}
          </li>
        ))}
      </ol>
      {shown >= entries.length && (
        <>
          <p>
            {report.test_success ? 'It arrived and was evaluated' : 'It did not arrive'} in{' '}
            {durationText(report.performance.total_ms)}. <a href={to(`/log/${process_id}`)}>See what happened</a>
          </p>
          {report.recommendations.map((text) => (
            <p key={text} class="soft">
              {text}
            </p>
          ))}
        </>
      )}
    </div>
  );
}
