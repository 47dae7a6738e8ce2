import { useEffect, useRef, useState } from 'preact/hooks';
import { plural } from '../shell/format';
import { queryText } from '../shell/match';
import { Button, Card, Empty, Said, Status, Time } from '../shell/parts';
import { place, to } from '../shell/router';
import { connection, revision, whenReached } from '../shell/session';
import type { Entry } from './entries';
import type { Filters } from './filters';
import { entryText } from './words';

/** Rows that are shown; older ones are in the log. */
const maxRows = 5_000;
const reconnectAfter = 2_000;

/** Newest first, each once, at most `maxRows`. */
function withNew(rows: readonly Entry[], fresh: readonly Entry[]): Entry[] {
  const known = new Set(rows.map(({ id }) => id));
  const added = fresh.filter(({ id }) => !known.has(id)).reverse();
  return [...added, ...rows].slice(0, maxRows);
}

/** New entries as they are recorded; paused, they wait. */
export function Tail({ filters }: { filters: Filters }) {
  const [rows, setRows] = useState<readonly Entry[]>([]);
  const [paused, setPaused] = useState(false);
  const [waiting, setWaiting] = useState(0);
  const [tries, setTries] = useState(0);
  const held = useRef<Entry[]>([]);
  const isPaused = useRef(false);
  isPaused.current = paused;
  const show = () => {
    const fresh = held.current.splice(0);
    if (fresh.length > 0) setRows((before) => withNew(before, fresh));
    setWaiting(0);
  };
  const address = `${place.base}/v1/audit-log/stream${queryText({ ...(filters as Record<string, string>) })}`;
  useEffect(() => {
    const source = new EventSource(address);
    let again: ReturnType<typeof setTimeout> | undefined;
    source.addEventListener('error', () => {
      void whenReached();
      // The browser itself tries again only after some failures.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(() => setTries((n) => n + 1), reconnectAfter);
    });
    source.addEventListener('entry', (event) => held.current.push(JSON.parse(event.data) as Entry));
    const timer = setInterval(() => {
      // What is paused for hours does not fill the memory either.
      held.current.splice(0, held.current.length - maxRows);
      if (isPaused.current) setWaiting(held.current.length);
      else show();
    }, 250);
    return () => {
      clearInterval(timer);
      clearTimeout(again);
      source.close();
    };
  }, [address, tries, revision.value]);
  const text = paused ? `Resume${waiting > 0 ? ` (${waiting} new)` : ''}` : 'Pause';
  const label = paused ? text : 'Pause the live log';
  const pause = <Button text={text} class="small" label={label} act={() => setPaused(!paused)} />;
  return (
    <Card title={`Live: ${plural(rows.length, 'entry', 'entries')}`} actions={pause} flush>
      {connection.value === 'lost' && (
        <p class="note warn">Not connected. New entries appear when the service is back.</p>
      )}
      {rows.length === 0 ? (
        <Empty title="Waiting for the next entry">
          <p>Entries appear here as they are recorded.</p>
        </Empty>
      ) : (
        <ol class="plain tail">
          {rows.map((entry) => (
            <li key={entry.id}>
              <Time at={entry.timestamp} /> <Status value={entry.status} />
              <a class="rowlink" dir="auto" href={to(`/log/${entry.process_id}`)}>
                <Said text={entryText(entry)} order={entry.order_id} />
              </a>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
