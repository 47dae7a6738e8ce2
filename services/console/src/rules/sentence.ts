import { senderText, typeText } from '../log/words';
import { inWords, plural } from '../shell/format';
import type { Choice, RuleData } from './draft';
import componentPhrases from './phrases.json';
import { operatorText } from './schema-form';

/** A rule in words: what starts it, what must be true, and what it does, each ready to stand in a sentence. Pure. */
export type RuleSentence = { readonly when: string; readonly ifs: readonly string[]; readonly does: readonly string[] };

/** The label of a component, for those that have no words of their own here. */
export type LabelOf = (id: string) => string | undefined;

/** Components that are said in other words than those of their label. */
const phrases: Readonly<Record<string, string>> = componentPhrases;
/** The settings that say what a trigger listens to, or what an action is about. */
const objects = ['event_types', 'outcomes', 'from', 'to', 'cron', 'tag', 'key', 'url'];

const lowered = (text: string): string =>
  /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
const nameOf = (id: string, labelOf: LabelOf): string => phrases[id] ?? lowered(labelOf(id) ?? inWords(id));

export function sentenceOf(
  { trigger, conditions, primaryAction, secondaryActions }: RuleData,
  labelOf: LabelOf = () => undefined,
): RuleSentence {
  const actions = [...(primaryAction ? [primaryAction] : []), ...secondaryActions];
  return {
    when: trigger.id === '' ? '' : withObjects(trigger, labelOf),
    ifs: conditions.map((condition) => conditionText(condition, labelOf)),
    does: actions.map((action) => withObjects(action, labelOf)),
  };
}

function withObjects({ id, settings }: Choice, labelOf: LabelOf): string {
  const named = objects.flatMap((name) => {
    const text = valuesText(name, settings[name], 'or');
    if (text === '') return [];
    if (name === 'event_types' || name === 'outcomes' || name === 'cron') return [`: ${text}`];
    return [id === 'any_status_change' ? ` ${name} ${text}` : ` ${text}`];
  });
  const said = named.join('') + ordersText(settings);
  const phrase = nameOf(id, labelOf);
  return said === '' ? phrase : phrase.replace(/ …$/, '') + said;
}

const units = [
  [1_440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const;

/** Which orders a schedule looks at. */
function ordersText({ order_statuses, older_than_minutes: older }: Choice['settings']): string {
  const statuses = valuesText('statuses', order_statuses, 'or');
  const minutes = typeof older === 'number' ? older : 0;
  const [size, unit] = units.find(([each]) => minutes % each === 0) ?? [1, 'minute'];
  const age = minutes > 0 ? ` for ${plural(minutes / size, unit)}` : '';
  return statuses + age === '' ? '' : `, for orders ${statuses || 'unchanged'}${age}`;
}

const countries = new Intl.DisplayNames('en', { type: 'region' });
/** Lists of ids that mean nothing to a reader. */
const counted = new Set(['products', 'categories', 'tags']);
/** Lists of what people typed, which stay as they are. */
const verbatim = new Set(['codes', 'methods', 'gateways']);

/** What a setting says; empty where it says nothing. */
function valuesText(name: string, value: unknown, joint: 'and' | 'or'): string {
  if (typeof value === 'string') return value.replace(/\{\{customer\.email\}\}/g, 'the customer');
  if (!Array.isArray(value) || value.length === 0) return '';
  if (counted.has(name)) return `${value.length === 1 ? 'the one' : `one of the ${value.length}`} chosen`;
  const words = value.map((one) => wordOf(name, String(one)));
  return words.length === 1 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;
}

function wordOf(name: string, value: string): string {
  if (name === 'countries') return /^[A-Z]{2}$/i.test(value) ? (countries.of(value.toUpperCase()) ?? value) : value;
  if (name === 'days') return inWords(value);
  return verbatim.has(name) ? senderText(value) : lowered(typeText(value.replace(/^wc-/, '')));
}

function conditionText({ id, settings }: Choice, labelOf: LabelOf): string {
  const name = nameOf(id, labelOf);
  const { operator, amount, amount_to, address, key, match } = settings;
  if (id === 'time_window') {
    const days = Array.isArray(settings.days) && settings.days.length < 7 ? settings.days : [];
    return `it is ${settings.from} to ${settings.to} on ${valuesText('days', days, 'and') || 'any day'}`;
  }
  const subject = id === 'country' && address ? `${address} country` : key === undefined ? name : `${name} ${key}`;
  if (amount !== undefined) return `${subject} ${operatorText(operator)} ${amountText(id, amount, amount_to)}`;
  const verb = match === 'none' || operator === 'is_not' ? 'is not' : operatorText(operator);
  const value = Object.entries(settings)
    .filter(([field, one]) => Array.isArray(one) || field === 'value')
    .map(([field, one]) => valuesText(field, one, match === 'all' ? 'and' : 'or'));
  const said = value.filter(Boolean).join(' ');
  if (said === '') return /exists$/.test(String(operator)) ? `${subject} ${verb}` : subject;
  return `${subject} ${verb} ${said}`;
}

/** An amount of money has two decimals where it has no more. */
function amountText(id: string, amount: unknown, to: unknown): string {
  const text = (value: unknown) =>
    typeof value === 'number' && id === 'order_total' && Number.isInteger(value * 100)
      ? value.toFixed(2)
      : String(value);
  return to === undefined ? text(amount) : `${text(amount)} and ${text(to)}`;
}
