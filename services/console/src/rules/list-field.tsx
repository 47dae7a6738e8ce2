import { useState } from 'preact/hooks';
import { typeText } from '../log/words';
import type { ControlProps } from '../shell/forms';
import { useSettled } from '../shell/load';
import { Button } from '../shell/parts';
import { api } from '../shell/session';
import { Suggest, type Suggestion } from '../shell/suggest';
import type { FormField } from './schema-form';

const countries = new Intl.DisplayNames('en', { type: 'region' });
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'ZZ', 'XA', 'XB']);
/** Codes that stand for another one: that of a former country, DD for DE, UK for GB, and EL for GR, as tax offices have it. */
const currentOf = (code: string) =>
  Intl.getCanonicalLocales(`und-${code.replace(/^el$/i, 'GR')}`)[0]?.slice('und-'.length);

/** Text as it is compared: case and accents aside. */
const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Where suggestions come from, for lists that no search-content source fills. */
const otherSources: Readonly<Record<string, () => Promise<Suggestion[]>>> = {
  /** Every code of two letters that names a country. */
  countries: async () =>
    letters
      .flatMap((first) => letters.map((second) => first + second))
      .map((code) => ({ value: code, label: countries.of(code) ?? code, about: code }))
      .filter(({ value, label }) => label !== value && !noCountries.has(value) && currentOf(value) === value)
      .sort((one, other) => one.label.localeCompare(other.label)),
  gateways: async () => {
    const [answer, senders] = await Promise.all([api('GET /v1/webhooks/gateways'), api('GET /v1/webhooks')]);
    const known = answer.ok ? Object.values(answer.body.gateways) : [];
    const connections = senders.ok ? senders.body.connections : [];
    return [
      ...known.map(({ name, display_name }) => ({ value: name, label: display_name, about: name })),
      ...connections.map(({ name }) => ({ value: `generic/${name}`, label: name, about: 'connection' })),
    ];
  },
};

async function suggestions({ name, control, examples }: FormField, text: string): Promise<readonly Suggestion[]> {
  const source = control.kind === 'list' ? control.source : undefined;
  if (source !== undefined) {
    const query = { source, ...(text !== '' && { search: text }), limit: 20 };
    const answer = await api('GET /v1/rule-builder/search-content', { query });
    return answer.ok ? answer.body.results : [];
  }
  const listed = (await otherSources[name]?.()) ?? examples.map((value) => ({ value, label: textOf(name, value) }));
  return listed.filter(({ value, label }) => plain(`${value} ${label}`).includes(meantBy(text, name)));
}

const meantBy = (text: string, name: string): string =>
  plain((name === 'countries' && /^[a-z]{2}$/i.test(text) && currentOf(text)) || text);

/** Types of events and products are written as words; coupons as they are. */
const textOf = (name: string, value: string): string => (name.endsWith('types') ? typeText(value) : value);

/** Rules may name a status with the prefix of WooCommerce, or without it. */
const withoutPrefix = (value: string): string => value.replace(/^wc-/, '');

const id = /^\d+$/;
/** Lists of what the shop or the world has: of a text that is not there, one like this alone is taken. */
const onlyKnown: Readonly<Record<string, RegExp>> = {
  products: id,
  categories: id,
  tags: id,
  countries: /(?!)/,
  gateways: /^generic\/[a-z0-9][a-z0-9_-]*$/,
};
/** Of these each text may be meant as it is, also where it is a part of a suggestion. */
const ownTexts: ReadonlySet<string> = new Set(['codes', 'event_types']);

type ListFieldProps = {
  readonly field: FormField;
  readonly control: ControlProps;
  readonly values: readonly string[];
  readonly change: (values: readonly string[]) => void;
};

/** Values that are picked from what the shop has, or typed; each can be taken away again. */
export function ListField({ field, control, values, change }: ListFieldProps) {
  const labels = useLabels(field, values);
  const isChosen = ({ value }: Suggestion) => values.map(withoutPrefix).includes(withoutPrefix(value));
  const isName = (text: string) => values.some((one) => plain(labels[one] ?? one) === plain(text));
  return (
    <>
      {values.length > 0 && (
        <div class="buttons">
          {values.map((value) => (
            <span class="chip" key={value} dir="auto">
              {labels[value] ?? value}
              <Button
                text="×"
                label={`Remove ${labels[value] ?? value}`}
                act={() => change(values.filter((one) => one !== value))}
              />
            </span>
          ))}
        </div>
      )}
      <Suggest
        control={control}
        placeholder="Type to find"
        free={ownTexts.has(field.name) ? 'any' : (onlyKnown[field.name] ?? /./)}
        find={async (text) => {
          const found = await suggestions(field, text);
          const meant = meantBy(text, field.name);
          const named = found.filter(({ value, label }) => [plain(value), plain(label)].includes(meant));
          // What was chosen by that name already is meant, and not another one that has it in its name.
          return named.length > 0 && named.every(isChosen) ? [] : found.filter((one) => !isChosen(one));
        }}
        pick={(one) => {
          if (!isChosen(one) && !(one.value === one.label && isName(one.label))) change([...values, one.value]);
        }}
      />
    </>
  );
}

/** Names of the values that are chosen: rules keep ids alone. */
function useLabels(field: FormField, values: readonly string[]): Readonly<Record<string, string>> {
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({});
  const unknown = values.filter((value) => labels[value] === undefined).join(' ');
  const look = async (value: string): Promise<[string, string]> => [
    value,
    (await suggestions(field, value)).find((one) => withoutPrefix(one.value) === withoutPrefix(value))?.label ??
      textOf(field.name, value),
  ];
  const lookAll = () => (unknown === '' ? undefined : Promise.all(unknown.split(' ').map(look)));
  const add = (found: [string, string][]) => setLabels((before) => ({ ...before, ...Object.fromEntries(found) }));
  useSettled(0, lookAll, add, [unknown, field.name]);
  return labels;
}
