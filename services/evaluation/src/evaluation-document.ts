import type {
  Effect,
  EventDone,
  FieldChange,
  NewAuditEntry,
  Occurrence,
  OrderChange,
  OrderRefunded,
  OrderRejection,
} from '@order-automation/contracts';
import type { RuleVerdict } from '@order-automation/engine';
import type { Found, RecordedFacts } from './deciding/recorded-facts';
import type { AmountMismatch, PartialPayment } from './history/classify';
import type { Payment } from './history/payments';
import type { Disabled } from './ports/disabled-rules';
import type { Task } from './task';

/** One action of a rule that matched. `result` is null until it was carried out. */
export type ActionRecord = {
  readonly index: number;
  readonly kind: 'primary' | 'secondary';
  readonly id: string;
  readonly label: string;
  readonly key: string;
  readonly effect: Effect;
  /** What it would change, in words. */
  readonly message: string;
  /** What its texts tell of the customer. */
  readonly personal?: readonly string[];
  result: ActionOutcome | null;
};

export type ActionOutcome = {
  /** `skipped`: not carried out on purpose; `queued`: its own log entry follows when it is delivered. */
  readonly status: 'applied' | 'already_applied' | 'unchanged' | 'failed' | 'skipped' | 'queued';
  /** The process for which it was done; null when it was not. */
  readonly by: string | null;
  readonly message: string;
  readonly changes: FieldChange[];
  /** Milliseconds that carrying it out took, with the other commands of its step. */
  readonly took_ms?: number;
};

/** What a rule in shadow would have done; the money is that of the order. */
export type ShadowVerdict = {
  readonly matched: boolean;
  readonly actions: readonly { readonly id: string; readonly label: string; readonly message: string }[];
  /** It would have ended the occurrence. */
  readonly stop: boolean;
  readonly total: string;
  readonly currency: string;
};

/** One rule that was evaluated, in order of running. */
export type RuleStep = Omit<RuleVerdict, 'error'> & {
  /** By which its order commands are carried out once (docs/decisions/0001, "Ids"). */
  readonly key: string;
  /** The revision of the order that it was decided on. */
  readonly revision: string | null;
  readonly failed: boolean;
  readonly actions: ActionRecord[];
  /** What was not as the event had found it. */
  readonly found?: Found;
  /** The rule matched and ends the occurrence. */
  readonly stop: boolean;
  /** Of a rule in shadow, which has no actions and stops nothing. */
  readonly shadow?: ShadowVerdict;
  readonly at: string;
};

export type RuleVersion = { readonly id: number; readonly version: number };

export type Outcome = EventDone['outcome'];

/**
 * One document per event. Inserting it is the claim: it holds verdicts and pending actions before anything is done, so that another process
 * continues from what was decided. The task, the occurrence and the steps are removed when the event is done: the log has them.
 */
export type EvaluationDocument = {
  readonly _id: string;
  readonly origin: Task['origin'];
  readonly process_id: string;
  /** Of an event that reports a change of ours, with the chain of rules that led there. */
  cause: Task['cause'];
  state: 'open' | 'waiting' | 'done' | 'dead';
  subject?: Task['subject'] | undefined;
  order_id: number | null;
  found_by: string | null;
  /** The billing address of the order, for the log; absent once the event is done. */
  email?: string | undefined;
  occurrence: Occurrence | null;
  /** The amounts that disagree: no rule that changes the order runs. */
  mismatch: AmountMismatch | null;
  /** Of a payment that leaves some of the order to be paid. */
  partial?: PartialPayment | null;
  /** Another payment had paid all of the order before. */
  paid_again?: true;
  /** Of a later payment of a subscription: how that is known. */
  renewal?: string;
  refund_failed?: true;
  /** Why the shop's order must not be moved by the event that names it. */
  rejection?: OrderRejection;
  /** The payment that was seen before, which this event only repeats. */
  repeats: Payment | null;
  /** Of a payment that is known by it: the invoice that it pays. */
  invoice?: string;
  /** The status of an order that no longer waits for the payment which completed. */
  late: string | null;
  /** A payment whose order the shop had moved to `processing` before, and which has been completed since. */
  moved_before?: true;
  own: boolean;
  /** Why the event may not move the order. */
  held: 'other_payment' | 'payment_repeated' | 'stale' | null;
  /** What was processed before the payment that it belongs to, and has set the status of the order since; of a change of the order the status in which it has ended since. */
  overtaken_by: string | null;
  /** Of a replay with the original rules: those. */
  original: readonly RuleVersion[] | null;
  /** What a rule can be tried on later; null where it is not kept. */
  facts?: RecordedFacts | null | undefined;
  /** Where no rule fired: disabled ones that listen, and enabled ones that hear of it, with the reason why they do not fire. */
  disabled?: Disabled;
  unfired?: readonly { readonly name: string; readonly reason: string }[];
  /** The rules whose trigger fired when the event came, each in one version from beginning to end. */
  rules: readonly RuleVersion[];
  steps: RuleStep[];
  /** What the steps changed: rules may listen to it, and it goes to the log. */
  changes: (OrderChange | OrderRefunded)[];
  shop_entries: NewAuditEntry[];
  matched: readonly number[];
  outcome: Outcome | null;
  /** 0 until it is stored; grows with every process that takes it over. */
  fence: number;
  /** Failures that trying again does not help, and all of them. */
  attempts: number;
  tries: number;
  error: string | null;
  /** The failure that the log has last. */
  reported?: string | undefined;
  /** It has waited for its order, so many times looked for. */
  looks?: number;
  readonly deleted?: true;
  /** Milliseconds since the epoch: when it waits for its order no longer. */
  wait_until?: number | undefined;
  /** Milliseconds since the epoch: the first failure of the shop on its order since something else has failed or a step was carried out. */
  delayed_since?: number;
  /** Milliseconds since the epoch: when it may be taken over, or a waiting one is looked at again. Absent when nothing is left to do. */
  due?: number | undefined;
  done_at: number | null;
};

export function newDocument({ id, origin, process_id, cause, subject, original }: Task): EvaluationDocument {
  return {
    _id: id,
    origin,
    process_id,
    cause,
    state: 'open',
    subject,
    order_id: null,
    found_by: null,
    occurrence: null,
    mismatch: null,
    repeats: null,
    late: null,
    own: false,
    held: null,
    overtaken_by: null,
    original: original ?? null,
    rules: [],
    steps: [],
    changes: [],
    shop_entries: [],
    matched: [],
    outcome: null,
    fence: 0,
    attempts: 0,
    tries: 0,
    error: null,
    done_at: null,
  };
}

export function taskOf({ _id, origin, process_id, cause, subject }: EvaluationDocument): Task {
  if (!subject) throw new Error(`evaluation ${_id} has no task any more`);
  return { id: _id, origin, process_id, cause, subject };
}
