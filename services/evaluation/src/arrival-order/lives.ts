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

/** A webhook, and how people call it. */
export type Told = { readonly says: string; readonly event: UniversalEvent };
/** What happens to a payment. `again`: another report of the same, as gateways have several for one thing. */
export type Life = readonly (Told & { readonly again: Told })[];

type About = readonly [type: string, id: string, transaction: string | null];
/** `at`: minutes into the life. */
type Moment = readonly [at: number, says: string, type: GenericType, about: About, amount?: 'all' | 'part' | 'rest'];

const payment: About = ['payment_intent', 'pi_1', 'pi_1'];
const dispute: About = ['dispute', 'dp_1', 'pi_1'];
const subscription: About = ['subscription', 'sub_1', null];
const refund = (id: string): About => ['refund', id, 'pi_1'];

const moments = {
  authorised: [1, 'payment authorised', 'payment_processing', payment],
  failed: [2, 'payment failed', 'payment_failed', payment],
  otherFailed: [2, 'earlier attempt failed', 'payment_failed', ['payment_intent', 'pi_0', 'pi_0']],
  cancelled: [3, 'payment cancelled', 'payment_cancelled', payment],
  paid: [4, 'paid', 'payment_completed', payment, 'all'],
  part: [5, 'partly refunded', 'payment_refunded', refund('re_1'), 'part'],
  rest: [6, 'rest refunded', 'payment_refunded', refund('re_2'), 'rest'],
  refunded: [6, 'refunded', 'payment_refunded', refund('re_3'), 'all'],
  opened: [7, 'dispute opened', 'dispute_opened', dispute],
  won: [8, 'dispute won', 'dispute_won', dispute],
  lost: [8, 'dispute lost', 'dispute_lost', dispute],
  subscribed: [1, 'subscription created', 'subscription_created', subscription],
  renewed: [9, 'renewal paid', 'renewal_payment_completed', ['payment_intent', 'pi_2', 'pi_2']],
  ended: [10, 'subscription cancelled', 'subscription_cancelled', subscription],
} as const satisfies Readonly<Record<string, Moment>>;

const lives: readonly (readonly (keyof typeof moments)[])[] = [
  ['authorised', 'paid', 'part', 'rest'],
  ['failed', 'otherFailed', 'paid', 'refunded'],
  ['failed', 'paid', 'opened', 'won'],
  ['otherFailed', 'paid', 'opened', 'lost'],
  ['subscribed', 'paid', 'renewed', 'ended'],
  ['authorised', 'cancelled'],
];

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
