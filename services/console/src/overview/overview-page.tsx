import { useLoad } from '../shell/load';
import { Card, Empty, Page, Shown, Status, Table, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api, mayManage } from '../shell/session';
import { Activity } from './activity';
import { Attention } from './attention';
import { Figures } from './figures';
import { FirstWebhook } from './first-webhook';
import './overview.css';

/** What happens now, and what needs a look. */
export function OverviewPage() {
  return (
    <Page title="Overview">
      <div class="stack">
        {mayManage.value && <FirstWebhookIfNone />}
        <Figures />
        <div class="columns">
          <div>
            <Activity />
            <Latest />
          </div>
          <div>{mayManage.value && <Attention />}</div>
        </div>
      </div>
    </Page>
  );
}

/** Shown until a webhook has arrived that was not a test. */
function FirstWebhookIfNone() {
  const received = useLoad(() => api('GET /v1/webhooks/events', { query: { per_page: 200 } }), []);
  if (!received.data || received.data.events.some(({ is_test }) => !is_test)) return null;
  return <FirstWebhook />;
}

function Latest() {
  const latest = useLoad(() => api('GET /v1/audit-log', { query: { per_page: 8 } }), []);
  return (
    <Card title="Latest" actions={<a href={to('/log')}>The log</a>} flush>
      <Shown of={latest} rows={8}>
        {({ logs }) =>
          logs.length === 0 ? (
            <Empty title="Nothing has happened yet.">
              <p>What webhooks and people do appears here.</p>
            </Empty>
          ) : (
            <Table heads={[['Time', 'when'], ['Outcome', 'outcome'], 'What happened']}>
              {logs.map(({ id, timestamp, status, summary, process_id }) => (
                <tr key={id}>
                  <td>
                    <Time at={timestamp} />
                  </td>
                  <td>
                    <Status value={status} />
                  </td>
                  <td>
                    <a class="rowlink" href={to(`/log/${process_id}`)}>
                      {summary}
                    </a>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Shown>
    </Card>
  );
}
