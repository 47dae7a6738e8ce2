import { useEffect, useState } from 'preact/hooks';
import { entryColumns } from '../log/entries';
import { durationText } from '../shell/format';
import { Listing } from '../shell/listing';
import { useAction, useGet } from '../shell/load';
import { Button, ButtonLink, Card, Page, Problem, Status } from '../shell/parts';
import { place, to } from '../shell/router';
import { api, type Body, mayManage } from '../shell/session';
import { Activity } from './activity';
import { Figures } from './figures';
import './overview.css';

/** What happens now, and what needs attention. */
export function OverviewPage() {
  return (
    <Page title="Overview" stack>
      {mayManage.value && <FirstWebhookIfNone />}
      <Figures />
      <Activity />
      <Latest />
    </Page>
  );
}

/** Shown until a webhook has arrived that was not a test. */
function FirstWebhookIfNone() {
  const received = useGet('GET /v1/webhooks/events', { query: { per_page: 200 } });
  if (!received.data || received.data.events.some(({ is_test }) => !is_test)) return null;
  return <FirstWebhook />;
}

function Latest() {
  const latest = useGet('GET /v1/audit-log', { query: { per_page: 8 } });
  return (
    <Card title="Latest" actions={<a href={to('/log')}>Open the log</a>} flush>
      <Listing
        of={latest}
        rows={({ logs }) => logs}
        paged={false}
        columns={entryColumns}
        empty={{ title: 'Nothing has happened yet', children: <p>Webhooks and changes appear here.</p> }}
      />
    </Card>
  );
}

type Report = Body<'POST /v1/webhooks/test/{gateway}'>;

/** Milliseconds between two steps that are shown, so that a person can follow. */
const pace = 350;

/** Until a webhook has arrived: sends a test that passes through every step, and shows each. */
function FirstWebhook() {
  const { busy, failure, run } = useAction();
  const [report, setReport] = useState<Report>();
  const send = async () => {
    setReport(undefined);
    const body = { event_type: 'payment_completed' };
    setReport(await run(() => api('POST /v1/webhooks/test/{gateway}', { params: { gateway: 'gateway_card' }, body })));
  };
  return (
    <Card title="Your first webhook" stack>
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
        <ButtonLink text="Connect a gateway" to="/connections" />
      </p>
      <Problem failure={failure} />
      {report && <Travel key={report.test_id} report={report} />}
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
