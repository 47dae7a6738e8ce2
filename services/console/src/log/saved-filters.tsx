import { useState } from 'preact/hooks';
import { Delete } from '../shell/act';
import { say } from '../shell/dialogs';
import { Check, FormDialog, InputField } from '../shell/forms';
import { useAction, useGet } from '../shell/load';
import { Button } from '../shell/parts';
import { to } from '../shell/router';
import { api, mayManage } from '../shell/session';
import type { Filters } from './filters';

/** Filters under a name: the user's own, and shared ones. */
export function SavedFilters({ filters }: { filters: Filters }) {
  const saved = useGet('GET /v1/audit-log/filters');
  const [naming, setNaming] = useState(false);
  const action = useAction();
  const { filter: _loaded, ...own } = filters;
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
        {Object.keys(own).length > 0 && <Button text="Save these filters" act={() => setNaming(true)} />}
        {naming && <Naming filters={own} done={saved.reload} close={() => setNaming(false)} />}
      </div>
    </details>
  );
}

function Naming({ filters, done, close }: { filters: Filters; done: () => Promise<void>; close: () => void }) {
  const action = useAction();
  const submit = async ({ name = '', shared }: Readonly<Record<string, string>>) => {
    const body = { name, shared: shared !== undefined, filter: { ...filters } };
    if (!(await action.run(() => api('POST /v1/audit-log/filters', { body })))) return;
    say('Filter saved');
    close();
    await done();
  };
  return (
    <FormDialog title="Save these filters" text="Save" action={action} submit={submit} close={close}>
      <InputField label="Name" name="name" required maxLength={100} />
      {mayManage.value && <Check label="Share with everyone" name="shared" />}
    </FormDialog>
  );
}
