import { useEffect } from 'preact/hooks';
import { countText, distanceText, plural } from '../shell/format';
import { useLoad } from '../shell/load';
import { Problem } from '../shell/parts';
import { to } from '../shell/router';
import { api, mayManage } from '../shell/session';

const refreshEvery = 15_000;

const readOverview = () => api('GET /v1/overview');
type Overview = Extract<Awaited<ReturnType<typeof readOverview>>, { ok: true }>['body'];

type TileProps = { title: string; count: number | null | undefined; about: string; href?: string; bad?: boolean };

function Tile({ title, count, about, href, bad = false }: TileProps) {
  const content = (
    <>
      <span class="soft">{title}</span>
      <strong>{count === undefined || count === null ? '–' : countText(count)}</strong>
      <small>{about}</small>
    </>
  );
  const kind = `card tile${bad && (count ?? 0) > 0 ? ' attention' : ''}`;
  return href === undefined ? (
    <div class={kind}>{content}</div>
  ) : (
    <a class={kind} href={href}>
      {content}
    </a>
  );
}

/** The figures of now; they are read again while the page is open. */
export function Figures() {
  const now = useLoad(readOverview, []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void now.reload();
    }, refreshEvery);
    return () => clearInterval(timer);
  }, [now.reload]);
  const { data } = now;
  return (
    <div class="stack">
      <Problem failure={now.failure} retry={() => void now.reload()} />
      {data && <Trouble of={data} />}
      <div class="tiles">
        <LastHour of={data?.last_hour} />
        <Backlog of={data} />
      </div>
    </div>
  );
}

/** What does not go on by itself, each with the page on which something can be done. */
function Trouble({ of: { deliveries, events } }: { of: Overview }) {
  return (
    <>
      {deliveries?.stuck.hosts.map(({ host, total, since }) => (
        <p class="note bad" key={host}>
          <a href={to('/deliveries', { state: 'pending' })}>
            {plural(total, 'delivery', 'deliveries')} to {host} cannot leave
          </a>
          : the oldest came {distanceText(since, Date.now())}.
        </p>
      ))}
      {events?.held.senders.map(({ sender, total }) => (
        <p class="note warn" key={sender}>
          {sender.replace(/^generic\//, '')} is paused: {plural(total, 'event')} held until it is resumed.{' '}
          {mayManage.value && <a href={to('/connections')}>Resume it</a>}
        </p>
      ))}
    </>
  );
}

function LastHour({ of: hour }: { of: Overview['last_hour'] | undefined }) {
  const inLog = (event_type: string, status?: string) =>
    to('/log', { view: 'flat', event_type, ...(status && { status }), ...(hour && { date_from: hour.since }) });
  const failed = hour && hour.actions_failed + hour.given_up + hour.webhooks_refused;
  return (
    <>
      <Tile
        title="Received"
        count={hour?.received}
        about="webhooks in the last hour"
        href={inLog('webhook_received')}
      />
      <Tile
        title="Done"
        count={hour?.actions_done}
        about="actions in the last hour"
        href={inLog('action_executed', 'success')}
      />
      <Tile
        title="Failed"
        count={failed}
        about={hour ? failedText(hour) : 'in the last hour'}
        href={inLog('action_failed,dead_lettered,webhook_rejected')}
        bad
      />
    </>
  );
}

function failedText({ actions_failed, given_up, webhooks_refused }: NonNullable<Overview['last_hour']>): string {
  const parts = [
    [actions_failed, plural(actions_failed, 'action')],
    [given_up, `${countText(given_up)} given up`],
    [webhooks_refused, `${plural(webhooks_refused, 'webhook')} refused`],
  ] as const;
  const found = parts.filter(([count]) => count > 0).map(([, text]) => text);
  return `${found.length > 0 ? `${found.join(', ')} ` : ''}in the last hour`;
}

function Backlog({ of: now }: { of: Overview | undefined }) {
  const link = (path: string, query?: Record<string, string>) => (mayManage.value ? { href: to(path, query) } : {});
  const since = now?.events?.unfinished.since;
  const stuck = now?.deliveries?.stuck;
  const { events: dead, deliveries: undelivered } = now?.dead_letters ?? {};
  return (
    <>
      <Tile
        title="Unfinished"
        count={now?.events?.unfinished.total}
        about={since ? `the oldest came ${distanceText(since, Date.now())}` : 'events in evaluation'}
        {...link('/dead-letters', { state: 'accepted' })}
      />
      <Tile
        title="Waiting"
        count={now?.events?.waiting}
        about="events without their order yet"
        {...link('/dead-letters', { state: 'waiting' })}
      />
      <Tile
        title="Stuck"
        count={stuck?.total}
        about={`of ${plural(now?.deliveries?.pending ?? 0, 'delivery', 'deliveries')} in the queue`}
        href={to('/deliveries', { state: 'pending' })}
        bad
      />
      <Tile
        title="Dead letters"
        count={now?.dead_letters.total}
        about={`${plural(dead ?? 0, 'event')}, ${plural(undelivered ?? 0, 'delivery', 'deliveries')}`}
        {...link('/dead-letters')}
        bad
      />
      {now !== undefined && now.webhooks_missed > 0 && (
        <Tile title="Missed" count={now.webhooks_missed} about="webhooks that could not be stored" bad />
      )}
    </>
  );
}
