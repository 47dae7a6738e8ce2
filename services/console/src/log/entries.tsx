import { type Columns, Listing, orderColumn, paging } from '../shell/listing';
import { useGet } from '../shell/load';
import { ButtonLink, Said, Status, Time } from '../shell/parts';
import { to } from '../shell/router';
import type { Body } from '../shell/session';
import type { Filters } from './filters';
import { entryText } from './words';

export type Entry = Body<'GET /v1/audit-log'>['logs'][number];

export function Entries({ filters, flat }: { filters: Filters; flat: boolean }) {
  const view = flat ? 'flat' : 'consolidated';
  const list = useGet('GET /v1/audit-log', { query: { ...filters, view, ...paging() } });
  const filtered = Object.keys(filters).length > 0;
  return (
    <Listing
      of={list}
      rows={({ logs }) => logs}
      columns={{ ...entryColumns, ...orderColumn }}
      empty={
        filtered
          ? nothingFound
          : { title: 'Nothing has happened yet', children: <p>Events and changes appear here.</p> }
      }
    />
  );
}

const nothingFound = {
  title: 'No entry matches these filters',
  children: (
    <>
      <p>Remove a filter, or choose an earlier date. Tests and debug entries are only shown when you include them.</p>
      <p class="buttons">
        <ButtonLink text="Clear filters" to="/log" />
      </p>
    </>
  ),
};

export const entryColumns: Columns<Entry> = {
  // A process stands where it began.
  Time: { class: 'when', cell: (entry) => <Time at={'started_at' in entry ? entry.started_at : entry.timestamp} /> },
  Outcome: { class: 'outcome', cell: ({ status }) => <Status value={status} /> },
  'What happened': (entry) => (
    <>
      <a class="rowlink" href={to(`/log/${entry.process_id}`)}>
        <Said text={entryText(entry)} order={entry.order_id} />
      </a>{' '}
      {entry.is_test && <Status value="test" />} {entry.is_debug && <Status value="debug" />}{' '}
      {'process_count' in entry && entry.process_count > 1 && <small>{entry.process_count} entries</small>}
    </>
  ),
};
