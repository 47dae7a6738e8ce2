import { inWords, moneyText, plural } from '../shell/format';
import eventPhrases from './event-phrases.json';
import { isObject, type Step } from './story-details';

/** Entries in words: money, orders and rules instead of the ids of events. Pure. */

type Told = Pick<Step, 'event_type' | 'summary' | 'order_id' | 'details'>;

const things: Readonly<Record<string, string>> = eventPhrases;

/** `payment.card.refund_failed` is "Refund failed". */
export const typeText = (type: string): string => inWords(type.replace(/^payment\.\w+\./, ''));

/** What an event was about: `Payment of €29.00`, `Refund failed (€29.00)`. Undefined where the entry has no type. */
function thingOf(type: unknown, { amount, currency }: Told['details']): string | undefined {
  if (typeof type !== 'string') return undefined;
  const known = things[type];
  if (typeof amount !== 'string' || typeof currency !== 'string') return known ?? typeText(type);
  const money = moneyText(amount, currency);
  return known ? `${known} of ${money}` : `${typeText(type)} (${money})`;
}

/** `gateway_card` is the card gateway; connections have names of their own. */
export const senderText = (name: unknown): string =>
  `${name}`.replace(/^gateway_(\w+)$/, 'the $1 gateway').replace(/^generic\//, '');

/** A sentence with the names of gateways, connections and events. */
export const gatewaysNamed = (text: string): string =>
  text
    .replace(/\bgateway_(card|wallet|shop)\b/g, (_, name, at) => `${at === 0 ? 'T' : 't'}he ${name} gateway`)
    .replace(/(?<![/\w])generic\/(?=\w)/g, '')
    .replace(/\(payment\.\w+\.(\w+)\)/g, (_, type) => `(${inWords(type).toLowerCase()})`);

/** What an entry says, with the names of gateways. */
export const entryText = (entry: Told): string => gatewaysNamed(wordsOf(entry));

/** Its summary where it says nothing of an event. */
function wordsOf({ event_type, summary, order_id, details }: Told): string {
  const [, test = '', text = summary] = /^(Test: )?(.*)$/s.exec(summary) ?? [];
  if (event_type === 'webhook_received') {
    const thing = thingOf(details.generic_type ?? details.event_type, details);
    const waits = /; (it (?:waits|is held) .*)$/.exec(text)?.[1];
    const from = senderText(details.connection ?? details.gateway);
    return thing === undefined ? summary : `${test}${thing} from ${from} arrived${waits ? `; ${waits}` : ''}`;
  }
  if (event_type === 'event_normalized') {
    const type = details.generic_type ?? details.event_type;
    const thing = details.amount_problem === null ? thingOf(type, details) : undefined;
    // The name of the sender, where it says more than the event does.
    const name = details.event_type === type ? '' : ` (${typeText(String(details.event_type))})`;
    return thing === undefined ? summary : `${test}${thing}${name}`;
  }
  // The list of parts is for programs; the story says it as a sentence.
  if (event_type === 'rule_created') return summary.replace(/: trigger .*$/s, '');
  const event = isObject(details.event) ? details.event : {};
  const thing = thingOf(details.partial_payment ? 'payment_completed' : (event.generic_type ?? event.type), details);
  if (thing === undefined || typeof event.type !== 'string' || !text.startsWith(event.type))
    return test + text.replace(/^payment\.\w+\.\w+(?=:| for )/, typeText);
  // A test has changed nothing.
  const result = test === '' ? resultOf(details) : undefined;
  return result === undefined || order_id === null
    ? `${test}${thing}${text.slice(event.type.length)}`
    : `${test}${thing} for order ${order_id} → ${result}`;
}

/** What rules made of the event; undefined where its summary says more. */
function resultOf(details: Told['details']) {
  const { outcome, rules_evaluated, rules_matched, first_matched, order_status, actions_open } = details;
  if (outcome === 'no_match') return `${plural(Number(rules_evaluated), 'rule')} looked at it, none matched`;
  if (outcome !== 'success' || actions_open !== 0 || typeof first_matched !== 'string') return undefined;
  if (isObject(order_status)) return `${inWords(String(order_status.to)).toLowerCase()} by ${order_status.by}`;
  const others = Number(rules_matched) - 1;
  return `handled by ${first_matched}${others > 0 ? ` and ${plural(others, 'other rule')}` : ''}`;
}

/** What an action did, where its rule and order are named already. */
export const actionText = ({ summary, details }: Told): string => {
  const rule = isObject(details.rule) ? ` (rule "${details.rule.name}")` : '';
  return summary.replace(/^(?:Test: )?Order \d+: /, '').replace(rule, '');
};
