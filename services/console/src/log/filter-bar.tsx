import { useEffect, useRef, useState } from 'preact/hooks';
import { dayBounds, dayOf } from '../shell/days';
import { inWords } from '../shell/format';
import { InputField } from '../shell/forms';
import { useLoad } from '../shell/load';
import { place } from '../shell/place';
import { setQuery, to } from '../shell/router';
import { api } from '../shell/session';
import { type FilterName, type Filters, includes, isPersonal, toggled } from './filters';
import { personalWords } from './log-page';

const set = (name: FilterName, value: string) => setQuery({ [name]: value, page: '' });

function setWords(words: string): void {
  personalWords.value = isPersonal(words) ? words : '';
  set('search', isPersonal(words) ? '' : words);
}

/** Milliseconds after the last key until words are searched for. */
const typingPause = 350;

export function FilterBar({ filters }: { filters: Filters }) {
  const options = useLoad(() => api('GET /v1/audit-log/filter-options'), []);
  const { statuses = [], event_types = [], sources = [] } = options.data?.filter_options ?? {};
  const chosen = Object.keys(filters).length;
  return (
    <search class="filters" aria-label="Filters of the log">
      <Words value={filters.search ?? ''} />
      <Choices name="status" label="Outcome" values={statuses} filters={filters} />
      <Choices name="event_type" label="Event" values={event_types} filters={filters} />
      <Choices name="source" label="Source" values={sources} filters={filters} />
      <details class="menu">
        <summary>More{moreOf(filters)}</summary>
        <div>
          <InputField
            label="Order"
            inputMode="numeric"
            list="filter-orders"
            value={filters.order_id ?? ''}
            onChange={(event) => set('order_id', event.currentTarget.value.trim())}
          />
          <datalist id="filter-orders">
            {options.data?.order_ids.map((id) => (
              <option key={id} value={id} />
            ))}
          </datalist>
          <InputField
            label="Rule"
            hint="The number of a rule"
            inputMode="numeric"
            value={filters.rule_id ?? ''}
            onChange={(event) => set('rule_id', event.currentTarget.value.trim())}
          />
          <Day name="date_from" label="From" filters={filters} />
          <Day name="date_to" label="To" filters={filters} />
          <Flag name="include_test" label="Tests too" filters={filters} />
          <Flag name="include_debug" label="Debug entries too" filters={filters} />
        </div>
      </details>
      {chosen > 0 && (
        <a
          href={to('/log')}
          onClick={() => {
            personalWords.value = '';
          }}
        >
          Clear
        </a>
      )}
    </search>
  );
}

function Words({ value }: { value: string }) {
  const [text, setText] = useState(value);
  /** What the field has shown or handed on: only another value replaces what is being typed. */
  const known = useRef(value);
  useEffect(() => {
    if (known.current === value) return;
    known.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const words = text.trim();
    if (words === value) return;
    const timer = setTimeout(() => {
      known.current = words;
      setWords(words);
    }, typingPause);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <input
      type="search"
      aria-label="Words, an order, a transaction or an e-mail address"
      placeholder="Words, transaction, e-mail address"
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}

type ChoicesProps = {
  readonly name: FilterName;
  readonly label: string;
  readonly values: readonly { readonly value: string; readonly label: string }[];
  readonly filters: Filters;
};

function Choices({ name, label, values, filters }: ChoicesProps) {
  const chosen = (filters[name] ?? '').split(',').filter(Boolean);
  const known = new Set(values.map(({ value }) => value));
  const all = [
    ...values,
    ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: inWords(value) })),
  ];
  return (
    <details class="menu">
      <summary>
        {label}
        {chosen.length > 0 && `: ${chosen.length === 1 ? inWords(chosen[0] ?? '') : chosen.length}`}
      </summary>
      <div>
        {all.map(({ value, label: text }) => (
          <label class="check" key={value}>
            <input
              type="checkbox"
              checked={includes(filters[name], value)}
              onChange={() => set(name, toggled(filters[name], value))}
            />
            {text}
          </label>
        ))}
        {all.length === 0 && <small>The log has none yet.</small>}
      </div>
    </details>
  );
}

type OneProps = { readonly name: 'date_from' | 'date_to'; readonly label: string; readonly filters: Filters };

function Day({ name, label, filters }: OneProps) {
  const change = (day: string) => {
    const { from, to: end } = dayBounds(day, place.timeZone);
    set(name, name === 'date_from' ? from : end);
  };
  return (
    <InputField
      label={label}
      type="date"
      value={dayOf(filters[name], place.timeZone)}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

type FlagProps = { readonly name: 'include_test' | 'include_debug'; readonly label: string; readonly filters: Filters };

function Flag({ name, label, filters }: FlagProps) {
  const on = filters[name] === 'true';
  return (
    <label class="check">
      <input type="checkbox" checked={on} onChange={() => set(name, on ? '' : 'true')} />
      {label}
    </label>
  );
}

function moreOf(filters: Filters): string {
  const names = ['order_id', 'rule_id', 'date_from', 'date_to', 'include_test', 'include_debug'] as const;
  const count = names.filter((name) => filters[name] !== undefined).length;
  return count === 0 ? '' : `: ${count}`;
}
