import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useEffect, useState } from 'preact/hooks';
import { durationText } from '../shell/format';
import { useAction } from '../shell/load';
import { Button, Card, Problem, Status } from '../shell/parts';
import { place } from '../shell/place';
import { to } from '../shell/router';
import { api } from '../shell/session';

type Report = Extract<AnswerTo<'POST /v1/webhooks/test/{gateway}'>, { ok: true }>['body'];

/** Milliseconds between two steps that are shown, so that one can follow. */
const pace = 350;

/** Until a webhook has arrived: one that is made here travels the whole way, and can be watched. */
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
          . Try it now: a signed test payment travels the whole way, rules decide about it, and nothing is changed.
        </p>
        <p class="buttons">
          <Button text={busy ? 'On its way' : 'Send a test payment'} class="main" disabled={busy} act={send} />
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
      <ol class="plain travel">
        {entries.slice(0, shown).map(({ id, status, summary }) => (
          <li key={id}>
            <Status value={status} /> {summary}
          </li>
        ))}
      </ol>
      {shown >= entries.length && (
        <>
          <p>
            {report.test_success ? 'It arrived and was evaluated' : 'It did not come through'} in{' '}
            {durationText(report.performance.total_ms)}. <a href={to(`/log/${process_id}`)}>Read its story</a>
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
