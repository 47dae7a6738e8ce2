import { useEffect, useState } from 'preact/hooks';
import { durationText } from '../shell/format';
import { useAction } from '../shell/load';
import { Button, Card, Problem, Status } from '../shell/parts';
import { place } from '../shell/place';
import { to } from '../shell/router';
import { api, type Body } from '../shell/session';

type Report = Body<'POST /v1/webhooks/test/{gateway}'>;

/** Milliseconds between two steps that are shown, so that a person can follow. */
const pace = 350;

/** Until a webhook has arrived: sends a test that passes through every step, and shows each. */
export function FirstWebhook() {
  const { busy, failure, run } = useAction();
  const [report, setReport] = useState<Report>();
  const send = async () => {
    setReport(undefined);
    const body = { event_type: 'payment_completed' };
    setReport(await run(() => api('POST /v1/webhooks/test/{gateway}', { params: { gateway: 'gateway_card' }, body })));
  };
  return (
    <Card title="Your first webhook">
      <div class="stack">
        <p>
          No webhook has arrived yet. Gateways send theirs to addresses such as{' '}
          <code>
            {location.origin}
            {place.base}/v1/webhooks/gateway_card
          </code>
          . Try it now: a signed test payment is received and evaluated by your rules, and changes nothing.
        </p>
        <p class="buttons">
          <Button text={busy ? 'Sending...' : 'Send a test payment'} class="main" disabled={busy} act={send} />
          <a class="button" href={to('/connections')}>
            Connect a gateway
          </a>
        </p>
        <Problem failure={failure} />
        {report && <Travel key={report.test_id} report={report} />}
      </div>
    </Card>
  );
}

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
