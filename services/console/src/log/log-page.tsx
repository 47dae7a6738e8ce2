import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { Tabs } from '../shell/listing';
import { queryText } from '../shell/match';
import { Card, Page } from '../shell/parts';
import { place } from '../shell/place';
import { address } from '../shell/router';
import { Entries } from './entries';
import { FilterBar } from './filter-bar';
import { filtersOf } from './filters';
import { SavedFilters } from './saved-filters';
import { Tail } from './tail';
import './log.css';

const views = { consolidated: 'By process', flat: 'Every entry' } as const;

/** Words that name a person: kept here, and not in the address. */
export const personalWords = signal('');

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
      <SavedFilters filters={filters} />
      <details class="menu">
        <summary>Export</summary>
        <div>
          <a href={exported('csv')} download>
            All entries as CSV
          </a>
          <a href={exported('ndjson')} download>
            All entries as NDJSON
          </a>
          <small>Entries that match the filters, newest first.</small>
        </div>
      </details>
    </>
  );
  return (
    <Page title="Log" actions={actions}>
      <div class="stack">
        <FilterBar filters={filters} />
        {live ? (
          <Tail filters={filters} />
        ) : (
          <Card
            title={flat ? 'Entries' : 'Processes'}
            actions={<Tabs label="View" name="view" options={views} />}
            flush
          >
            <Entries filters={filters} flat={flat} />
          </Card>
        )}
      </div>
    </Page>
  );
}
