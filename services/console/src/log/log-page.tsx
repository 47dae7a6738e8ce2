import { useState } from 'preact/hooks';
import { Delete } from '../shell/act';
import { open } from '../shell/dialogs';
import { Check, FormDialog, InputField } from '../shell/forms';
import { Tabs } from '../shell/listing';
import { useAction, useGet } from '../shell/load';
import { queryText } from '../shell/match';
import { Button, Card, Page } from '../shell/parts';
import { Period } from '../shell/period';
import { address, place, to } from '../shell/router';
import { api, mayManage } from '../shell/session';
import { Entries } from './entries';
import { FilterBar, personalWords } from './filter-bar';
import { type Filters, filtersOf } from './filters';
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
      <SavedFilters filters={filters} />
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

/** Filters under a name: the user's own, and shared ones. */
function SavedFilters({ filters }: { filters: Filters }) {
  const saved = useGet('GET /v1/audit-log/filters');
  const action = useAction();
  const { filter: _loaded, ...own } = filters;
  const naming = <Naming filters={own} done={saved.reload} />;
  return (
    <details class="menu">
      <summary>Saved filters</summary>
      <div>
        {saved.data?.filters.map(({ id, name, mine, shared, owner }) => (
          <span class="buttons" key={id}>
            <a dir="auto" href={to('/log', { filter: id })} aria-current={filters.filter === id ? 'true' : undefined}>
              {name}
            </a>
            {shared && <small>{mine ? 'shared' : `by ${owner}`}</small>}
            {(mine || mayManage.value) && (
              <Delete
                name={name}
                effect="The filter is gone for everyone who uses it."
                action={action}
                work={() => api('DELETE /v1/audit-log/filters/{id}', { params: { id } })}
                then={saved.reload}
              />
            )}
          </span>
        ))}
        {saved.data?.filters.length === 0 && <small>None yet. Filter the log, then save your filters.</small>}
        {Object.keys(own).length > 0 && <Button text="Save these filters" act={() => open(naming)} />}
      </div>
    </details>
  );
}

function Naming({ filters, done }: { filters: Filters; done: () => Promise<void> }) {
  return (
    <FormDialog
      title="Save these filters"
      text="Save"
      work={({ name = '', shared }) => {
        const body = { name, shared: shared !== undefined, filter: { ...filters } };
        return api('POST /v1/audit-log/filters', { body });
      }}
      done="Filter saved"
      then={done}
    >
      <InputField label="Name" name="name" required maxLength={100} />
      {mayManage.value && <Check label="Share with everyone" name="shared" />}
    </FormDialog>
  );
}
