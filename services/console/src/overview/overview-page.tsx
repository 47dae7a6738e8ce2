import { entryColumns } from '../log/entries';
import { Listing } from '../shell/listing';
import { useEvery, useGet } from '../shell/load';
import { Card, Page, Problem } from '../shell/parts';
import { place, to } from '../shell/router';
import { mayManage } from '../shell/session';
import { Activity } from './activity';
import { Figures } from './figures';
import { FirstSteps } from './first-steps';
import type { Overview } from './needs';
import { NeedsYou } from './needs-you';
import { recoveredText } from './recovered';
import './overview.css';

const refreshEvery = 15_000;

/** What needs a person, then what happens; the figures are read again while the page is open. */
export function OverviewPage() {
  const { data, failure, reload } = useGet('GET /v1/overview');
  useEvery(refreshEvery, reload);
  return (
    <Page title="Overview" sub={data?.shop?.demonstration ? <Demonstration /> : undefined} stack>
      <Problem failure={failure} retry={() => void reload()} />
      {data && <NeedsYou of={data} />}
      {data && data.recovered.length > 0 && <Recovered of={data.recovered} />}
      {mayManage.value && <FirstSteps />}
      <Figures of={data} />
      <Activity />
      <Latest />
    </Page>
  );
}

function Demonstration() {
  return (
    <>
      Demonstration shop: its orders and customers are made up.{' '}
      {mayManage.value && <a href={to('/settings', { part: 'shop' })}>Use your own shop</a>}
    </>
  );
}

/** What a gap has swallowed, for a day. */
function Recovered({ of }: { of: Overview['recovered'] }) {
  const query = { view: 'flat', event_type: 'webhook_recovered' };
  return (
    <Card title="What had not arrived" actions={<a href={to('/log', query)}>See in the log</a>} flush>
      <ul class="plain needs steps">
        {of.map((one) => (
          <li key={one.gateway} class={one.done === one.total ? 'done' : ''}>
            {recoveredText(one, Date.now(), place.timeZone)}
          </li>
        ))}
      </ul>
    </Card>
  );
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
