import {
  type EventDone,
  type EventReceived,
  isoTime,
  type OrderChange,
  type OrderContext,
} from '@order-automation/contracts';
import { type CompiledRule, occurrenceOfChange } from '@order-automation/engine';
import type { EvaluationDocument } from './evaluations';

/** One event in the hands of this process: its document and what is only kept while it is worked on. */
export type Work = {
  document: EvaluationDocument;
  candidates: readonly CompiledRule[];
  /** The order as it was when `asOf` was drawn; undefined where it must be read. */
  context: OrderContext | undefined;
  asOf: number;
  /** What is told of the reception, on its way to audit with our entries; undefined where it is not for us to tell. */
  received: EventReceived | undefined;
};

/** Chains of rules that set each other off end here. */
export const deepestChain = 5;

type New = Pick<EvaluationDocument, '_id' | 'origin' | 'process_id' | 'cause'>;

/** Its lease begins with the claim. */
function freshDocument({ _id, origin, process_id, cause }: New): EvaluationDocument {
  return {
    _id,
    origin,
    process_id,
    cause,
    state: 'open',
    order_id: null,
    found_by: null,
    occurrence: null,
    mismatch: null,
    steps: [],
    rules: [],
    matched: [],
    outcome: null,
    fence: 1,
    attempts: 0,
    lease_until: 0,
    done_at: null,
  };
}

export function workOfEvent(received: EventReceived): Work {
  const { event, process_id } = received;
  const document = freshDocument({
    _id: event.id,
    origin: 'intake',
    process_id,
    cause: {
      event_type: event.eventType,
      gateway: event.sourceGateway,
      authenticated: event.authenticated,
      is_test: event.isTest,
      depth: 0,
      received_at: event.receivedAt,
    },
  });
  return workOf(document, received);
}

export function workOfChange(change: OrderChange): Work {
  const document = freshDocument({
    _id: change.change_id,
    origin: 'shop',
    process_id: change.cause.process_id,
    cause: {
      event_type: change.kind === 'created' ? 'order_created' : `order_status_${change.to}`,
      gateway: null,
      authenticated: true,
      is_test: false,
      depth: change.cause.depth,
      received_at: change.at,
    },
  });
  document.order_id = change.order_id;
  document.found_by = 'order_id';
  document.occurrence = occurrenceOfChange(change);
  if (change.cause.depth >= deepestChain) document.outcome = 'too_deep';
  return workOf(document);
}

/** A document as it is stored, or is about to be, with nothing known of its order yet. */
export function workOf(document: EvaluationDocument, received?: EventReceived): Work {
  return { document, candidates: [], context: undefined, asOf: 0, received };
}

/** A work that is done, as far as its report needs it. */
export type DoneWork = Pick<Work, 'document' | 'received'>;

/** What is reported once a work is done, and the log has been told. */
export function eventDone({ document, received }: DoneWork): EventDone {
  return {
    event_id: document._id,
    origin: document.origin,
    outcome: document.outcome ?? 'error',
    order_id: document.order_id,
    at: isoTime(document.done_at ?? 0),
    rules: [...document.rules],
    matched: [...document.matched],
    reception_told: document.origin === 'shop' || received !== undefined,
  };
}
