import { useState } from 'preact/hooks';
import { open } from '../shell/dialogs';
import { plural } from '../shell/format';
import { Field, FormDialog, SelectField } from '../shell/forms';
import { Button } from '../shell/parts';
import { api } from '../shell/session';
import { Suggest } from '../shell/suggest';
import type { Connection } from './connections-page';
import meanings from './meanings.json';

type Props = { readonly connection: Connection; readonly done: () => Promise<void> };

/** How many of the sender's event types have a meaning, and the way to change them. */
export function EventTypes({ connection, done }: Props) {
  const known = Object.keys(connection.types ?? {}).length;
  const change = () => open(<TypesDialog {...{ connection, done }} />);
  return (
    <span class="buttons">
      {known === 0 ? 'As they are called' : `${plural(known, 'type')} with a meaning`}
      <Button text="Change" label={`Change the event types of ${connection.name}`} class="small" act={change} />
    </span>
  );
}

/** What events without a type are called. */
const withoutType = 'custom_event';

/** Types that the sender's last events had and that mean nothing yet. */
async function sentTypes(connection: string): Promise<string[]> {
  const answer = await api('GET /v1/webhooks/events', { query: { gateway: 'generic', connection, per_page: 100 } });
  const types = answer.ok ? answer.body.events.map(({ event_type }) => event_type) : [];
  return [...new Set(types)].filter((type) => type === withoutType || !Object.hasOwn(meanings, type));
}

/** What each type of the sender's events means; one that means nothing of its own is taken off the list. */
function TypesDialog({ connection: { name, types = {} }, done }: Props) {
  const [rows, setRows] = useState(() => Object.entries<string>(types));
  const [sent] = useState(() => sentTypes(name));
  const has = (type: string): boolean => rows.some(([known]) => known === type);
  return (
    <FormDialog
      title={`Event types of ${name}`}
      text="Save"
      work={(fields) => {
        const kept = Object.entries(fields).filter(([, meaning]) => meaning !== '');
        return api('PUT /v1/webhooks/{name}', { params: { name }, body: { types: Object.fromEntries(kept) } as never });
      }}
      done="Saved. It applies to new events and to replays."
      then={done}
    >
      <Field
        label="Add an event type"
        hint={`As ${name} writes it, for example order.paid. Types of its last events are suggested; custom_event is what has none.`}
      >
        {(control) => (
          <Suggest
            control={control}
            free="any"
            find={async (text) => {
              const matches = (type: string): boolean => type.toLowerCase().includes(text.toLowerCase());
              const found = (await sent).filter((type) => !has(type) && matches(type));
              return found.map((value) => ({ value, label: value }));
            }}
            pick={({ value }) => !has(value) && setRows([[value, ''], ...rows])}
          />
        )}
      </Field>
      {rows.map(([type, meaning]) => (
        <SelectField
          key={type}
          label={type === withoutType ? 'Events without a type' : type}
          name={type}
          options={{
            ...meanings,
            '': Object.hasOwn(types, type) ? 'What its name says: take it off this list' : 'Choose',
          }}
          chosen={meaning}
        />
      ))}
    </FormDialog>
  );
}
