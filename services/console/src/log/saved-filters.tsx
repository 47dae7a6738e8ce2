import { useState } from 'preact/hooks';
import { ask, Dialog, say } from '../shell/dialogs';
import { Form, InputField } from '../shell/forms';
import { useAction, useLoad } from '../shell/load';
import { Button } from '../shell/parts';
import { to } from '../shell/router';
import { api, mayManage } from '../shell/session';
import type { Filters } from './filters';

/** Filters under a name: one's own, and those that others share. */
export function SavedFilters({ filters }: { filters: Filters }) {
  const saved = useLoad(() => api('GET /v1/audit-log/filters'), []);
  const [naming, setNaming] = useState(false);
  const { run } = useAction();
  const remove = async (id: string, name: string) => {
    const sure = await ask({
      title: 'Delete the filter?',
      text: `“${name}” is deleted.`,
      confirm: 'Delete',
      danger: true,
    });
    if (!sure) return;
    await run(() => api('DELETE /v1/audit-log/filters/{id}', { params: { id } }));
    await saved.reload();
  };
  const { filter: _loaded, ...own } = filters;
  return (
    <details class="menu right">
      <summary>Saved filters</summary>
      <div>
        {saved.data?.filters.map(({ id, name, mine, shared, owner }) => (
          <span class="buttons" key={id}>
            <a href={to('/log', { filter: id })} aria-current={filters.filter === id ? 'true' : undefined}>
              {name}
            </a>
            {shared && <small>{mine ? 'shared' : `of ${owner}`}</small>}
            {(mine || mayManage.value) && (
              <Button text="Delete" class="small" label={`Delete ${name}`} act={() => remove(id, name)} />
            )}
          </span>
        ))}
        {saved.data?.filters.length === 0 && <small>None yet. Filter the log, then save what you see.</small>}
        {Object.keys(own).length > 0 && <Button text="Save these filters" act={() => setNaming(true)} />}
        {naming && <Naming filters={own} done={saved.reload} close={() => setNaming(false)} />}
      </div>
    </details>
  );
}

type NamingProps = { readonly filters: Filters; readonly done: () => Promise<void>; readonly close: () => void };

function Naming({ filters, done, close }: NamingProps) {
  const action = useAction();
  const { run } = action;
  const submit = async (form: FormData) => {
    const body = { name: String(form.get('name')), shared: form.get('shared') === 'on', filter: { ...filters } };
    if (!(await run(() => api('POST /v1/audit-log/filters', { body })))) return;
    say('The filter is saved.');
    close();
    await done();
  };
  return (
    <Dialog title="Save these filters" close={close}>
      <Form text="Save" action={action} submit={submit} close={close}>
        <InputField label="Name" name="name" required maxLength={100} />
        {mayManage.value && (
          <label class="check">
            <input type="checkbox" name="shared" /> Everybody sees it
          </label>
        )}
      </Form>
    </Dialog>
  );
}
