import {
  addDecimals,
  cardEvents,
  formatDecimal,
  type GenericType,
  isoTime,
  type Order,
  parseDecimal,
  type UniversalEvent,
  walletEvents,
} from '@order-automation/contracts';
import type { CompiledRules } from '@order-automation/engine';
import { occurrenceOfEvent } from '../history/occurrence';
import table from './lives.json';

/** A webhook, and how people call it. */
export type Told = { readonly says: string; readonly event: UniversalEvent };
/** What happens to a payment. `again`: another report of the same, as gateways have several for one thing. */
export type Life = readonly (Told & { readonly again: Told })[];

type About = readonly [type: string, id: string, transaction: string | null];
/** `at`: minutes into the life. */
type Moment = readonly [at: number, says: string, type: GenericType, about: About, amount?: 'all' | 'part' | 'rest'];

type Name = keyof typeof table.moments;
const moments = table.moments as unknown as Readonly<Record<Name, Moment>>;
const lives = table.lives as readonly (readonly Name[])[];

/** Where no rule hears of them, they change nothing for what else arrives. */
const aside = /^(?:payment_(?:processing|failed|cancelled)|subscription_\w+)$/;
const day = 24 * 60 * 60 * 1000;

/** The lives that the rules hear of, as a gateway tells them about the order a day later; `now` in milliseconds since the epoch. */
export function livesOf(gateway: string, order: Order, now: number, rules: CompiledRules): Life[] {
  const isHeard = ({ event }: Told): boolean => {
    const occurrence = occurrenceOfEvent(event, order.id);
    return occurrence !== null && rules.forOccurrence(occurrence).length > 0;
  };
  const asked = new Set(
    rules.all.flatMap(({ listensTo }) => listensTo.map((one) => ('event' in one ? one.event : null))),
  );
  const told = lives.map((life) => {
    const isOfSubscription = life.some((name) => name === 'renewed');
    const events = life.map((name) => {
      const [at, says, type]: Moment = moments[name];
      const names = namesOf(type, gateway);
      const [first = names[0] ?? type, other] = names.filter((one) => asked.has(one));
      const second = other ?? (type === 'payment_completed' ? names.find((one) => one !== first) : undefined) ?? first;
      const tell = (eventType: string, id: string): UniversalEvent => {
        const written = { ...eventOf(moments[name], eventType, order), sourceGateway: gateway, id, idempotencyKey: id };
        const times = { occurredAt: isoTime(now - day + at * 60_000), receivedAt: isoTime(now) };
        const billing = type === 'payment_completed' ? 'first' : 'renewal';
        return { ...written, ...times, ...(isOfSubscription && { subscriptionID: 'sub_1', billing }) };
      };
      return { says, event: tell(first, name), again: { says: `${says} (again)`, event: tell(second, `${name}:2`) } };
    });
    return events.filter((one) => !aside.test(one.event.genericType ?? '') || isHeard(one) || isHeard(one.again));
  });
  return told.filter((life) => life.some((one) => isHeard(one) || isHeard(one.again)));
}

/** The amount of this event is that of all refunds so far. */
const sumOfRefunds = 'payment.card.charge_refunded';

/** What a gateway calls events of a generic type, its usual name first. */
function namesOf(type: GenericType, gateway: string): string[] {
  const family = gateway.replace('gateway_', '');
  if (family !== 'card' && family !== 'wallet') return [type];
  const generic = family === 'card' ? type.replace(/dispute_(?:won|lost)/, 'dispute_resolved') : type;
  const named = Object.entries(family === 'card' ? cardEvents : walletEvents).filter(
    ([, one]) => one.generic === generic,
  );
  return named
    .map(([id]) => `payment.${family}.${id}`)
    .sort((a, b) => Number(a === sumOfRefunds) - Number(b === sumOfRefunds));
}

const unsaid = { secondaryObjectType: null, secondaryObjectID: null, status: null, reason: null, amountProblem: null };

function eventOf([, , genericType, about, part]: Moment, eventType: string, { id, total, currency }: Order) {
  const [primaryObjectType, primaryObjectID, transactionID] = about;
  const rest = addDecimals(parseDecimal(total) ?? { units: 0n, scale: 2 }, { units: -1n, scale: 2 });
  const amounts = { all: total, part: '0.01', rest: eventType === sumOfRefunds ? total : formatDecimal(rest, 2) };
  const object = { eventType, genericType, primaryObjectType, primaryObjectID, transactionID };
  const money = { amount: part ? amounts[part] : null, currency: part ? currency : null };
  const orderReference = { gateway_ids: [], order_id: String(id), transaction_id: transactionID };
  return { ...unsaid, ...object, ...money, orderReference, channel: 'webhook', authenticated: true, isTest: false };
}
