import { countText, distanceText, plural } from '../shell/format';
import { to } from '../shell/router';
import { mayManage } from '../shell/session';
import type { Overview } from './needs';

type TileProps = { title: string; count: number | null | undefined; about: string; href?: string; bad?: boolean };

function Tile({ title, count, about, href, bad = false }: TileProps) {
  return (
    <a class={`card tile${bad && (count ?? 0) > 0 ? ' attention' : ''}`} {...(href !== undefined && { href })}>
      <span class="soft">{title}</span>
      <strong>{count === undefined || count === null ? '–' : countText(count)}</strong>
      <small>{about}</small>
    </a>
  );
}

/** The figures of the last hour, and of what is not finished. */
export function Figures({ of: now }: { of: Overview | undefined }) {
  return (
    <div class="tiles">
      <LastHour of={now?.last_hour} />
      <Backlog of={now} />
    </div>
  );
}

function LastHour({ of: hour }: { of: Overview['last_hour'] | undefined }) {
  const inLog = (event_type: string, status?: string) =>
    to('/log', { view: 'flat', event_type, ...(status && { status }), ...(hour && { date_from: hour.since }) });
  const failed = hour && hour.actions_failed + hour.given_up + hour.webhooks_refused;
  const failures = inLog('action_failed,dead_lettered,webhook_rejected');
  const done = inLog('action_executed', 'success');
  const received = inLog('webhook_received');
  return (
    <>
      <Tile title="Received" count={hour?.received} about="webhooks in the last hour" href={received} />
      <Tile title="Done" count={hour?.actions_done} about="actions in the last hour" href={done} />
      <Tile title="Failed" count={failed} about={failedText(hour)} href={failures} bad />
    </>
  );
}

function failedText(hour: Overview['last_hour'] | undefined): string {
  const { actions_failed = 0, given_up = 0, webhooks_refused = 0 } = hour ?? {};
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
  const { events: dead, deliveries: undelivered } = now?.dead_letters ?? {};
  return (
    <>
      <Tile
        title="Unfinished"
        count={now?.events?.unfinished.total}
        about={since ? `the oldest arrived ${distanceText(since, Date.now())}` : 'events in evaluation'}
        {...link('/events', { state: 'accepted' })}
      />
      <Tile
        title="Waiting"
        count={now?.events?.waiting}
        about="for an order that is not there yet"
        {...link('/events', { state: 'waiting' })}
      />
      <Tile
        title="Given up"
        count={now?.dead_letters.total}
        about={`${plural(dead ?? 0, 'event')}, ${plural(undelivered ?? 0, 'delivery', 'deliveries')}`}
        {...(dead ? link('/events', { state: 'dead' }) : link('/deliveries', { state: 'failed' }))}
        bad
      />
    </>
  );
}
