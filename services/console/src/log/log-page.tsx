import { useState } from 'preact/hooks';
import { Tabs } from '../shell/listing';
import { queryText } from '../shell/match';
import { Card, Page } from '../shell/parts';
import { Period } from '../shell/period';
import { address, place } from '../shell/router';
import { SavedViews } from '../shell/saved-views';
import { Entries } from './entries';
import { FilterBar, personalWords } from './filter-bar';
import { filtersOf } from './filters';
import { Tail } from './tail';
import './log.css';

const views = { consolidated: 'By process', flat: 'Every entry' } as const;

/** What happened: by process or entry by entry, filtered, followed, exported. */
export function LogPage() {
  const { query } = address.value;
  const [live, setLive] = useState(false);
  const filters = filtersOf(query, personalWords.value);
  const flat = query.view === 'flat';
  const exported = (format: string) =>
    `${place.base}/v1/audit-log/export${queryText({ format, ...(filters as Record<string, string>) })}`;
  const actions = (
    <>
      <button type="button" aria-pressed={live} onClick={() => setLive(!live)}>
        {live ? 'Stop following' : 'Follow live'}
      </button>
      <SavedViews page="log" query={filters} />
      <details class="menu">
        <summary>Export</summary>
        <div>
          {['csv', 'ndjson'].map((format) => (
            <a key={format} href={exported(format)} download>{`All entries as ${format.toUpperCase()}`}</a>
          ))}
          <small>Entries that match the filters, newest first.</small>
        </div>
      </details>
    </>
  );
  const lookAt = (
    <>
      <Period from="date_from" until="date_to" />
      <Tabs label="View" name="view" options={views} />
    </>
  );
  return (
    <Page title="Log" actions={actions} stack>
      <FilterBar filters={filters} />
      {live ? (
        <Tail filters={filters} />
      ) : (
        <Card title={flat ? 'Entries' : 'Processes'} actions={lookAt} flush>
          <Entries filters={filters} flat={flat} />
        </Card>
      )}
    </Page>
  );
}
