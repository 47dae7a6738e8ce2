import { entryColumns } from '../log/entries';
import { Listing } from '../shell/listing';
import { useGet } from '../shell/load';
import { Card, Page } from '../shell/parts';
import { to } from '../shell/router';
import { mayManage } from '../shell/session';
import { Activity } from './activity';
import { Attention } from './attention';
import { Figures } from './figures';
import { FirstWebhook } from './first-webhook';
import './overview.css';

/** What happens now, and what needs attention. */
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
