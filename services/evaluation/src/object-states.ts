import type { GenericType, UniversalEvent } from '@order-automation/contracts';

/** The last state of one object of a gateway (a payment, a subscription, a dispute) that an event of the order reported. */
export type ObjectState = {
  readonly object: string;
  readonly type: GenericType;
  /** ISO 8601; gateways count in seconds. */
  readonly at: string;
  /** The idempotency key of the event: a replay is the same event. */
  readonly event_id: string;
};

/** The states an object passes through, earliest first; those of one rank exclude each other. */
const ladders: readonly (readonly (readonly GenericType[])[])[] = [
  [
    ['payment_created'],
    ['payment_pending'],
    ['payment_processing'],
    ['payment_failed', 'payment_denied', 'payment_cancelled'],
    ['payment_completed'],
    ['payment_refunded'],
    ['payment_reversed'],
  ],
  [
    ['renewal_payment_pending'],
    ['renewal_payment_processing'],
    ['renewal_payment_failed'],
    ['renewal_payment_completed'],
  ],
  [
    ['subscription_created'],
    ['subscription_approved'],
    ['subscription_renewed', 'subscription_suspended', 'subscription_reactivated'],
    ['subscription_cancelled', 'subscription_completed'],
    ['subscription_expired'],
  ],
  [['trial_started'], ['trial_ended']],
  [['dispute_opened'], ['dispute_resolved'], ['dispute_won', 'dispute_lost']],
];

type Rung = { readonly ladder: number; readonly rank: number };

const rungs: ReadonlyMap<GenericType, Rung> = new Map(
  ladders.flatMap((ladder, index) =>
    ladder.flatMap((types, rank) => types.map((type) => [type, { ladder: index, rank }] as const)),
  ),
);

/** The state that an event reports; null when it reports none, or names no object. */
export function stateOf(event: UniversalEvent): ObjectState | null {
  const { idempotencyKey, genericType: type, sourceGateway, transactionID, primaryObjectID } = event;
  const rung = type === null ? undefined : rungs.get(type);
  const object = rung?.ladder === 0 ? (transactionID ?? primaryObjectID) : primaryObjectID;
  if (type === null || !rung || object === null) return null;
  const at = event.occurredAt ?? event.receivedAt;
  return { object: `${sourceGateway}:${rung.ladder}:${object}`, type, at, event_id: idempotencyKey };
}

/** Whether the object has passed that state already: a later one was seen, by time and, within a second, by rank. */
export function isStale(seen: readonly ObjectState[], state: ObjectState): boolean {
  const last = seen.find(({ object }) => object === state.object);
  if (!last || last.event_id === state.event_id || last.type === state.type) return false;
  const [then, now] = [secondOf(last), secondOf(state)];
  return now === then ? rankOf(state) < rankOf(last) : now < then;
}

/** Objects remembered of one order. */
const mostObjects = 200;

/** The list after an event that is not stale; the same object when nothing changes. */
export function withState(seen: readonly ObjectState[], state: ObjectState): readonly ObjectState[] {
  const last = seen.find(({ object }) => object === state.object);
  if (last?.event_id === state.event_id) return seen;
  if (last?.type === state.type && secondOf(state) <= secondOf(last)) return seen;
  return [...seen.filter((one) => one !== last), state].slice(-mostObjects);
}

const secondOf = ({ at }: ObjectState): number => Math.floor(Date.parse(at) / 1000);
const rankOf = ({ type }: ObjectState): number => rungs.get(type)?.rank ?? 0;
