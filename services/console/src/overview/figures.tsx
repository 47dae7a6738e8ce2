import { useEffect } from 'preact/hooks';
import { countText, distanceText } from '../shell/format';
import { useLoad } from '../shell/load';
import { Problem } from '../shell/parts';
import { to } from '../shell/router';
import { api, mayManage } from '../shell/session';

const refreshEvery = 15_000;
const hour = 3_600_000;
const one = { view: 'flat', page: 1, per_page: 1 } as const;

const countSince = (event_type: string) =>
  api('GET /v1/audit-log', { query: { ...one, event_type, date_from: new Date(Date.now() - hour).toISOString() } });

async function lastHour() {
  const [received, done, failed] = await Promise.all([
    countSince('webhook_received'),
    countSince('action_executed'),
    countSince('action_failed,dead_lettered,webhook_rejected'),
  ]);
  if (!received.ok) return received;
  const total = (answer: typeof received | typeof done) => (answer.ok ? answer.body.pagination.total : 0);
  return { ok: true, body: { received: total(received), done: total(done), failed: total(failed) } } as const;
}

/** The oldest event that is not finished: lists are newest first, so it is the last of the last page. */
async function unfinished() {
  const per_page = 200;
  const read = (page: number) => api('GET /v1/webhooks/events', { query: { state: 'accepted', per_page, page } });
  const newest = await read(1);
  if (!newest.ok) return newest;
  const { total } = newest.body.pagination;
  const last = total > per_page ? await read(Math.min(Math.ceil(total / per_page), 1_000)) : newest;
  return { ok: true, body: { total, since: last.ok ? (last.body.events.at(-1)?.received_at ?? null) : null } } as const;
}

const waitingForOrder = () => api('GET /v1/webhooks/events', { query: { state: 'waiting', per_page: 1 } });
const dead = () => api('GET /v1/webhooks/dead-letters', { query: { kind: 'event', per_page: 1 } });
const undelivered = () => api('GET /v1/deliveries', { query: { state: 'failed', per_page: 1 } });

type TileProps = { title: string; count: number | undefined; about: string; href?: string; bad?: boolean };

function Tile({ title, count, about, href, bad = false }: TileProps) {
  const content = (
    <>
      <span class="soft">{title}</span>
      <strong>{count === undefined ? '–' : countText(count)}</strong>
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

const inLog = (event_type: string) => {
  const date_from = new Date(Math.floor((Date.now() - hour) / 60_000) * 60_000).toISOString();
  return to('/log', { view: 'flat', event_type, date_from });
};

/** The figures of now; they are read again while the page is open. */
export function Figures() {
  const recent = useLoad(lastHour, []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void recent.reload();
    }, refreshEvery);
    return () => clearInterval(timer);
  }, [recent.reload]);
  const { data } = recent;
  return (
    <div class="stack">
      <Problem failure={recent.failure} retry={() => void recent.reload()} />
      <div class="tiles">
        <Tile
          title="Received"
          count={data?.received}
          about="webhooks in the last hour"
          href={inLog('webhook_received')}
        />
        <Tile title="Done" count={data?.done} about="actions in the last hour" href={inLog('action_executed')} />
        <Tile
          title="Failed"
          count={data?.failed}
          about="in the last hour"
          href={inLog('action_failed,dead_lettered,webhook_rejected')}
          bad
        />
        {mayManage.value && <Backlog />}
      </div>
    </div>
  );
}

function Backlog() {
  const open = useLoad(unfinished, []);
  const waiting = useLoad(waitingForOrder, []);
  const letters = useLoad(dead, []);
  const deliveries = useLoad(undelivered, []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      void open.reload();
      void waiting.reload();
      void letters.reload();
      void deliveries.reload();
    }, refreshEvery);
    return () => clearInterval(timer);
  }, [open.reload, waiting.reload, letters.reload, deliveries.reload]);
  const since = open.data?.since;
  return (
    <>
      <Tile
        title="Unfinished"
        count={open.data?.total}
        about={since ? `the oldest came ${distanceText(since, Date.now())}` : 'events in evaluation'}
        href={to('/dead-letters', { state: 'accepted' })}
      />
      <Tile
        title="Waiting"
        count={waiting.data?.pagination.total}
        about="events without their order yet"
        href={to('/dead-letters', { state: 'waiting' })}
      />
      <Tile
        title="Dead letters"
        count={letters.data?.pagination.total}
        about="events that were given up"
        href={to('/dead-letters')}
        bad
      />
      <Tile
        title="Undelivered"
        count={deliveries.data?.pagination.total}
        about="calls and e-mails that failed"
        href={to('/deliveries', { state: 'failed' })}
        bad
      />
    </>
  );
}
