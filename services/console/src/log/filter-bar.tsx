import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { dayBounds, dayOf } from '../shell/days';
import { inWords } from '../shell/format';
import { Check, Field, InputField } from '../shell/forms';
import { useGet } from '../shell/load';
import { place, setQuery, to } from '../shell/router';
import { OrderSearch } from '../shell/suggest';
import { type FilterName, type Filters, isPersonal } from './filters';

/** Words that name a person: kept here, and not in the address. */
export const personalWords = signal('');

const lists = { status: 'Outcome', event_type: 'Event', source: 'Source' } as const;
const included = { include_test: 'Include tests', include_debug: 'Include debug entries' } as const;
const others = ['order_id', 'rule_id', 'date_from', 'date_to', 'include_test', 'include_debug'] as const;

/** What the controls say, as the address and the service take it: words that name a person stay out of it. */
function apply(form: FormData): void {
  const text = (name: string) => form.getAll(name).join(',').trim();
  const words = text('search');
  personalWords.value = isPersonal(words) ? words : '';
  setQuery({
    ...Object.fromEntries([...Object.keys(lists), ...others].map((name) => [name, text(name)])),
    search: isPersonal(words) ? '' : words,
    date_from: dayBounds(text('date_from'), place.timeZone).from,
    date_to: dayBounds(text('date_to'), place.timeZone).to,
    page: '',
  });
}

/** Filters, which take effect when they are applied. */
export function FilterBar({ filters }: { filters: Filters }) {
  const options = useGet('GET /v1/audit-log/filter-options');
  const { statuses = [], event_types = [], sources = [] } = options.data?.filter_options ?? {};
  const values = { status: statuses, event_type: event_types, source: sources };
  const more = others.filter((name) => filters[name] !== undefined).length;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    apply(new FormData(event.currentTarget as HTMLFormElement));
    const menu = document.activeElement?.closest('details');
    if (!menu) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  };
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.reset(), [JSON.stringify(filters)]);
  const { order_id = '', rule_id = '' } = filters;
  const order = useRef<HTMLInputElement>(null);
  const pickOrder = (id: string) => {
    if (order.current) order.current.value = id;
    form.current?.requestSubmit();
  };
  const day = (name: FilterName, label: string) => (
    <InputField label={label} name={name} type="date" defaultValue={dayOf(filters[name], place.timeZone)} />
  );
  return (
    <search aria-label="Filters of the log">
      <form class="buttons filters" ref={form} onSubmit={submit}>
        <input
          type="search"
          name="search"
          dir="auto"
          aria-label="Words, an order, a transaction or an e-mail address"
          placeholder="Words, transaction, e-mail address"
          defaultValue={filters.search ?? ''}
        />
        {(['status', 'event_type', 'source'] as const).map((name) => (
          <Choices key={name} name={name} values={values[name]} chosen={filters[name]} />
        ))}
        <details class="menu">
          <summary>More{more > 0 && `: ${more}`}</summary>
          <div>
            <Field label="Order" hint={order_id && `Order ${order_id}`}>
              {(control) => <OrderSearch control={control} pick={pickOrder} />}
            </Field>
            <input type="hidden" name="order_id" ref={order} value={order_id} />
            <InputField label="Rule" hint="Its number" name="rule_id" inputMode="numeric" defaultValue={rule_id} />
            {day('date_from', 'From')}
            {day('date_to', 'To')}
            {Object.entries(included).map(([name, label]) => (
              <Check
                key={name}
                label={label}
                name={name}
                value="true"
                defaultChecked={filters[name as keyof typeof included] === 'true'}
              />
            ))}
            <button type="submit">Apply</button>
          </div>
        </details>
        <button type="submit">Search</button>
        {Object.keys(filters).length > 0 && (
          <a
            href={to('/log')}
            onClick={() => {
              personalWords.value = '';
            }}
          >
            Clear
          </a>
        )}
      </form>
    </search>
  );
}

type ChoicesProps = {
  readonly name: keyof typeof lists & FilterName;
  readonly values: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: string | undefined;
};

function Choices({ name, values, chosen }: ChoicesProps) {
  const picked = (chosen ?? '').split(',').filter(Boolean);
  const known = new Set(values.map(({ value }) => value));
  const unknown = picked.filter((value) => !known.has(value)).map((value) => ({ value, label: inWords(value) }));
  const all = [...values, ...unknown];
  return (
    <details class="menu">
      <summary>
        {lists[name]}
        {picked.length > 0 && `: ${picked.length === 1 ? inWords(picked[0] ?? '') : picked.length}`}
      </summary>
      <div>
        {all.map(({ value, label }) => (
          <Check key={value} label={label} name={name} value={value} defaultChecked={picked.includes(value)} />
        ))}
        {all.length === 0 ? <small>The log has none yet.</small> : <button type="submit">Apply</button>}
      </div>
    </details>
  );
}
