import type {
  EventDone,
  EventReceived,
  OrderChange,
  OrderReference,
  OrderRefunded,
  UniversalEvent,
  WebhookFacts,
} from '@order-automation/contracts';
import { changeName } from './entries/sentences';
import type { RuleVersion } from './evaluation-document';

/** What happened: an event of a gateway, a change or a refund of an order, or a schedule that is due for it. */
export type Subject =
  | { readonly kind: 'scheduled'; readonly rule: RuleVersion; readonly order_id: number; readonly at: string }
  | { readonly kind: 'event'; readonly event: UniversalEvent; readonly webhook?: WebhookFacts }
  | { readonly kind: 'change'; readonly change: OrderChange }
  | { readonly kind: 'refund'; readonly refund: OrderRefunded };

/** What is known of the cause, as far as the log and later changes need it. */
export type Cause = {
  readonly event_type: string;
  readonly gateway: string | null;
  readonly authenticated: boolean;
  readonly is_test: boolean;
  /** How many rules led here, and which of them, in order. 0 is a person or a gateway. */
  readonly depth: number;
  readonly rules: readonly number[];
  /** Of a replay, when it was asked for. */
  readonly received_at: string;
};

/** One event to be evaluated, wherever it comes from. */
export type Task = {
  readonly id: string;
  readonly origin: EventDone['origin'];
  readonly process_id: string;
  readonly subject: Subject;
  readonly cause: Cause;
  /** Of a replay with the rules of the first time: those. */
  readonly original?: readonly RuleVersion[];
};

export function taskOfEvent({ event, process_id, webhook, rules, replayed_at }: EventReceived): Task {
  return {
    ...(rules === undefined ? {} : { original: rules }),
    id: event.id,
    origin: 'intake',
    process_id,
    subject: { kind: 'event', event, webhook },
    cause: {
      event_type: event.eventType,
      gateway: event.sourceGateway,
      authenticated: event.authenticated,
      is_test: event.isTest,
      depth: 0,
      rules: [],
      received_at: replayed_at ?? event.receivedAt,
    },
  };
}

export function taskOfShop(reported: OrderChange | OrderRefunded): Task {
  const { change_id, cause, at } = reported;
  const { process_id, depth, rules = [] } = cause;
  const isRefund = reported.kind === 'refunded';
  const event_type = isRefund ? 'refund_created' : changeName(reported);
  const subject: Subject = isRefund ? { kind: 'refund', refund: reported } : { kind: 'change', change: reported };
  return {
    id: change_id,
    origin: 'shop',
    process_id,
    subject,
    cause: { event_type, gateway: null, authenticated: true, is_test: false, depth, rules, received_at: at },
  };
}

/** The order that the task is about, where it is known without asking. */
export function orderIdOf({ subject }: Task): number | null {
  if (subject.kind === 'event') return null;
  if (subject.kind === 'scheduled') return subject.order_id;
  return (subject.kind === 'change' ? subject.change : subject.refund).order_id;
}

/** What the event says about its order; null where the order is known. */
export const referenceOf = ({ subject }: Task): OrderReference | null =>
  subject.kind === 'event' ? subject.event.orderReference : null;

export const namesAnOrder = ({ gateway_ids, order_id, transaction_id }: OrderReference): boolean =>
  gateway_ids.length > 0 || order_id !== null || transaction_id !== null;

/** The order that an event names by its id, where the shop could not be asked for it, or has it no more. */
export function namedOrderId({ subject }: { readonly subject?: Subject | undefined }): number | null {
  const text = subject?.kind === 'event' ? subject.event.orderReference.order_id : null;
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : null;
}

/** The order that WooCommerce says it has deleted; null for any other event. */
export function deletedOrderOf({ subject }: Task): number | null {
  if (subject.kind !== 'event' || subject.event.eventType !== 'payment.shop.order_deleted') return null;
  const id = Number(subject.event.primaryObjectID);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
