import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { queryText } from '../shell/match';
import { Card, Page } from '../shell/parts';
import { place } from '../shell/place';
import { address, setQuery } from '../shell/router';
import { Entries } from './entries';
import { FilterBar } from './filter-bar';
import { filtersOf } from './filters';
import { SavedFilters } from './saved-filters';
import { Tail } from './tail';
import './log.css';

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
      <details class="menu right">
        <summary>Export</summary>
        <div>
          <a href={exported('csv')} download>
            Every entry as CSV
          </a>
          <a href={exported('ndjson')} download>
            Every entry as NDJSON
          </a>
          <small>What passes the filters, newest first.</small>
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
            actions={
              <label class="check">
                <input
                  type="checkbox"
                  checked={flat}
                  onChange={() => setQuery({ view: flat ? '' : 'flat', page: '' })}
                />
                Entry by entry
              </label>
            }
            flush
          >
            <Entries filters={filters} flat={flat} page={Number(query.page ?? '1') || 1} />
          </Card>
        )}
      </div>
    </Page>
  );
}
