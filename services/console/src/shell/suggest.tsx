import { Fragment } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { bestFirst, isNamed } from './best-first';
import { inWords, moneyText } from './format';
import type { ControlProps } from './forms';
import { useSettled } from './load';
import { api, type Body } from './session';

export type Suggestion = {
  readonly value: string;
  readonly label: string;
  readonly about?: string;
  /** Names those that follow each other in the whole list. */
  readonly group?: string | undefined;
  /** Named, and cannot be chosen. */
  readonly locked?: boolean;
};

type SuggestProps = {
  readonly label?: string;
  /** Of a field of a form: what was typed counts once the field is left, as after Enter. */
  readonly control?: ControlProps;
  readonly placeholder?: string;
  /** Finds what matches the text; an empty text lists the first ones. */
  readonly find: (text: string) => Promise<readonly Suggestion[]>;
  readonly pick: (chosen: Suggestion) => void;
  /** A text like this may be used as it is, where it is not suggested; `any` text is, unless it is the name of a suggestion or one was chosen. */
  readonly free?: RegExp | 'any';
};

const typingPause = 150;

/** An input that suggests what matches, in the combobox pattern of the ARIA practices: arrows choose, Enter takes, Escape closes. */
export function Suggest({ label, control, placeholder, find, pick, free }: SuggestProps) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [answer, setAnswer] = useState<{ text?: string; found: readonly Suggestion[] }>({ found: [] });
  const [chosen, setChosen] = useState(-1);
  const list = useId();
  const typed = text.trim();
  const { found } = answer;
  const isFree = free === 'any' ? typed !== '' : free?.test(typed) === true;
  const take = (suggestion: Suggestion | undefined) => {
    const taken = suggestion ?? (isFree ? { value: typed, label: typed } : undefined);
    if (!taken || taken.locked) return;
    setText('');
    setOpen(false);
    setChosen(-1);
    pick(taken);
  };
  /** Enter before the suggestions for the whole text are here: those of its beginning are not meant. */
  const entered = useRef(false);
  const enter = () => {
    entered.current = open && !found[chosen] && answer.text !== typed;
    if (!entered.current) take(open ? found[chosen] : undefined);
  };
  const latest = useRef({ find, take, chosen: found[chosen] });
  latest.current = { find, take, chosen: found[chosen] };
  const use = (suggestions: readonly Suggestion[]) => {
    const ranked = bestFirst(suggestions, typed);
    const [best] = ranked;
    const first = best && typed !== '' && (free !== 'any' || isNamed(best, typed)) ? 0 : -1;
    const kept = ranked.findIndex(({ value }) => value === latest.current.chosen?.value);
    setAnswer({ text: typed, found: ranked });
    setChosen(kept < 0 ? first : kept);
    if (entered.current) latest.current.take(ranked[first]);
    entered.current = false;
    if (document.activeElement?.getAttribute('aria-controls') !== list) setOpen(false);
  };
  useSettled(typingPause, () => (open ? latest.current.find(typed) : undefined), use, [typed, open]);
  useEffect(() => document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setChosen(Math.min(found.length - 1, Math.max(0, chosen + step)));
    } else if (event.key === 'Enter' && !event.isComposing) enter();
    else if (event.key === 'Escape' && open) setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shown = open && found.length > 0;
  const nothing = open && found.length === 0 && typed !== '' && answer.text === typed && !isFree;
  return (
    <div class="suggest">
      <input
        {...control}
        role="combobox"
        aria-label={label}
        dir="auto"
        aria-expanded={shown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shown && chosen >= 0 ? `${list}-${chosen}` : undefined}
        autocomplete="off"
        placeholder={placeholder}
        value={text}
        onInput={(event) => {
          entered.current = false;
          setText(event.currentTarget.value);
          setChosen(-1);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => {
          if (control && typed !== '') enter();
          if (!entered.current) setOpen(false);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label="Suggestions" hidden={!shown}>
        {found.map((suggestion, index) => (
          <Fragment key={suggestion.value}>
            {typed === '' && suggestion.group !== found[index - 1]?.group && (
              <div role="presentation">{suggestion.group}</div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input */}
            <div
              id={`${list}-${index}`}
              role="option"
              dir="auto"
              aria-selected={index === chosen}
              aria-disabled={suggestion.locked}
              // The input keeps the focus, and with it the list stays open until the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(suggestion)}
            >
              {suggestion.label} {suggestion.about !== undefined && <small>{suggestion.about}</small>}
            </div>
          </Fragment>
        ))}
      </div>
      {nothing && <p role="status">Nothing found.</p>}
    </div>
  );
}

type ListedOrder = Body<'GET /v1/shop/orders'>['orders'][number];

/** What tells an order from others in a list of suggestions: `number RE-5123 · Mia Kunde · €71.50 · on hold`. */
export function orderText({ id, number, status, total, currency, billing }: ListedOrder): string {
  const name = `${billing.first_name} ${billing.last_name}`.trim();
  const shown = number === String(id) ? '' : `number ${number}`;
  return [shown, name, moneyText(total, currency), inWords(status).toLowerCase()].filter(Boolean).join(' · ');
}

/** Orders by id, number, name or e-mail address; the newest ones without a text. */
async function findOrders(text: string): Promise<readonly Suggestion[]> {
  const answer = await api('GET /v1/shop/orders', { query: { ...(text !== '' && { search: text }), per_page: 8 } });
  if (!answer.ok) return [];
  return answer.body.orders.map((order) => ({
    value: String(order.id),
    label: `Order ${order.id}`,
    about: orderText(order),
  }));
}

type OrderSearchProps = Pick<SuggestProps, 'label' | 'control'> & { readonly pick: (id: string) => void };

/** Finds an order; any other number may be typed. */
export function OrderSearch({ pick, ...field }: OrderSearchProps) {
  const placeholder = 'Number, name or e-mail';
  return (
    <Suggest {...field} placeholder={placeholder} find={findOrders} pick={({ value }) => pick(value)} free={/^\d+$/} />
  );
}
