import { Delete } from './act';
import { open } from './dialogs';
import { Check, FormDialog, InputField } from './forms';
import { useAction, useGet } from './load';
import type { Query } from './match';
import { Button, Problem } from './parts';
import { to } from './router';
import { api, mayManage } from './session';

type ViewsProps = { readonly page: 'log' | 'orders' | 'events'; readonly query: Query };

/** What narrows a list, under a name: the user's own views, and shared ones. */
export function SavedViews({ page, query: { filter: _, ...query } }: ViewsProps) {
  const saved = useGet('GET /v1/audit-log/filters');
  const action = useAction();
  const views = saved.data?.filters.filter(({ view }) => (view?.page ?? 'log') === page);
  return (
    <details class="menu">
      <summary>Saved views</summary>
      <div>
        {views?.map(({ id, name, mine, shared, owner, view }) => (
          <span class="buttons" key={id}>
            <a dir="auto" href={to(`/${page}`, view?.query ?? { filter: id })}>
              {name}
            </a>
            {shared && <small>{mine ? 'shared' : `by ${owner}`}</small>}
            {(mine || mayManage.value) && (
              <Delete
                name={name}
                effect={shared ? 'The view is gone for everyone who uses it.' : 'Only you use this view.'}
                action={action}
                work={() => api('DELETE /v1/audit-log/filters/{id}', { params: { id } })}
                then={saved.reload}
              />
            )}
          </span>
        ))}
        <Problem failure={action.failure} />
        {views?.length === 0 && <small>None yet. Choose filters, then save them as a view.</small>}
        {Object.keys(query).length > 0 && (
          <Button text="Save this view" act={() => open(<Naming page={page} query={query} done={saved.reload} />)} />
        )}
      </div>
    </details>
  );
}

function Naming({ page, query, done }: ViewsProps & { readonly done: () => Promise<void> }) {
  return (
    <FormDialog
      title="Save this view"
      text="Save"
      work={({ name = '', shared }) => {
        const what = page === 'log' ? { filter: query } : { filter: {}, view: { page, query } };
        return api('POST /v1/audit-log/filters', { body: { name, shared: shared !== undefined, ...what } });
      }}
      done={(_, { name }) => `Saved ${name}`}
      then={done}
    >
      <InputField label="Name" name="name" required maxLength={100} />
      {mayManage.value && <Check label="Share with everyone" name="shared" />}
    </FormDialog>
  );
}
