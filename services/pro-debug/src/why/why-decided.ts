import type { AuditEntry, DeliveryRecord, FieldChange, Why } from '@order-automation/contracts';
import { gatewayEvent } from '@order-automation/engine';
import advice from './advice.json';
import texts from './endings.json';
import type { WhySituation } from './why-situation';

/** The entries of one process that are about the order, oldest first. */
export type Process = { readonly id: string; readonly entries: readonly AuditEntry[]; readonly started: string };

export const last = ({ entries }: Process, matches: (entry: AuditEntry) => boolean): AuditEntry | null =>
  entries.findLast(matches) ?? null;
export const isOutcome = ({ details }: AuditEntry): boolean => typeof details.outcome === 'string';
/** Of a change that a rule made, or of an event beside others of its body, that no rule did anything about. */
const isEcho = ({ details: { chain, outcome } }: AuditEntry): boolean =>
  outcome === 'no_rules' || (chain !== undefined && outcome === 'no_match');

/** The outcome of what happened; that of the changes which rules made of it where rules ran for them. */
export const outcomeOf = (process: Process): AuditEntry | null =>
  last(process, (entry) => isOutcome(entry) && !isEcho(entry)) ?? last(process, isOutcome);
/** The outcome of the event that began it, where rules went on with what a rule had changed. */
export function causeOf(process: Process): AuditEntry | null {
  const outcome = outcomeOf(process);
  const isChained = outcome?.details.chain !== undefined;
  return (isChained ? last(process, (one) => isOutcome(one) && one.details.chain === undefined) : null) ?? outcome;
}
/** The status to which its rules brought the order in the end. */
export function movedTo(process: Process): string | undefined {
  const moved = last(process, (one) => isOutcome(one) && one.details.order_status !== undefined);
  return (moved?.details.order_status as { readonly to: string } | undefined)?.to;
}
/** What an outcome says of its event; the generic type is null of an event without one, undefined of what is no event. */
const eventOf = (outcome: AuditEntry | null) =>
  (outcome?.details.event ?? {}) as { type?: string; generic_type?: string | null; reason?: string };
export const genericTypeOf = (outcome: AuditEntry | null): string | null | undefined => eventOf(outcome).generic_type;
export const isOfDelivery = ({ details }: AuditEntry): boolean => details.delivery !== undefined;
export const isLate = ({ event_type, status }: AuditEntry): boolean =>
  event_type === 'late_payment' && status === 'warning';
export const isFailedRefund = ({ event_type }: AuditEntry): boolean => event_type === 'refund_failed';
/**
 * What means nothing to any rule and says no more than that: "charge.updated: Occurs whenever a charge description or metadata is updated, or upon an
 * asynchronous capture" (docs.stripe.com/api/charges), which follows each payment. That the money of a payment is back is more. So is a schedule in shadow.
 */
export function isByTheWay(process: Process): boolean {
  const outcome = outcomeOf(process);
  const { type: name = '', generic_type: type } = eventOf(outcome);
  const isPlain = outcome?.summary.endsWith('no enabled rule whose trigger it fires.') === true;
  const isNothing = (type === null || type === 'custom_event') && !/(?:canceled_reversal|funds_reinstated)$/.test(name);
  const isShadow = type === 'schedule' && outcome?.details.outcome === 'no_rules';
  return isShadow || (isPlain && isNothing && last(process, isFailedRefund) === null);
}
/** A webhook of the shop, which follows whatever anybody does to an order: what it tells of has a process of its own where a rule listens. */
export function isHint(process: Process): boolean {
  const { details, summary = '' } = outcomeOf(process) ?? {};
  const isOfShop = /^payment\.shop\./.test(eventOf(outcomeOf(process)).type ?? '');
  return isOfShop && /^no_(?:rules|order)$/.test(String(details?.outcome)) && !/ disabled| in shadow /.test(summary);
}

export const isDead = (entry: AuditEntry): boolean => entry.event_type === 'dead_lettered' && !isOfDelivery(entry);

export function prefix({ order_id, order, unread }: WhySituation): string {
  if (order) return `Order ${order_id} is still ${statusText(order.status)}`;
  return unread === null ? `The shop has no order ${order_id}` : `Order ${order_id} was not moved`;
}

/** "Payment failed" (card_declined) at 2026-11-23 12:03:20 UTC. */
export function happened(process: Process): string {
  const { type = 'an event', reason } = eventOf(causeOf(process) ?? last(process, isDead));
  return `${eventText(type)}${reason === undefined ? '' : ` (${reason})`} at ${momentText(process.started)}`;
}

export type Judged = Pick<Why, 'outcome' | 'sentence' | 'advice'>;
const advised = (outcome: keyof typeof advice & Why['outcome'], sentence: string): Judged => {
  return { outcome, sentence, advice: advice[outcome] };
};

/** Why nothing moved the order, and what may be done about it. */
type Ending = { readonly because: string; readonly advice: string | null };
/** By outcome, but for those of events for which rules were evaluated. */
const endings: Partial<Record<Why['outcome'], Ending>> = texts;

function becauseOf({ because }: Ending, outcome: AuditEntry): string {
  const text = outcomeText(outcome);
  const about = text.replace(/^\S+: /, '').replace(/ (?:Set order_reference|Choose in) .*$/, '');
  const words: Record<string, string> = { text, about, amounts: amountsText(outcome) ?? text };
  return because.replace(/\{(\w+)\}/, (_all, name: string) => words[name] ?? '');
}

/** Why an event that no rule listens to leaves an order that awaits its payment. */
function unheard(process: Process, { order }: WhySituation): Ending {
  const type = genericTypeOf(outcomeOf(process)) ?? '';
  if (outcomeOf(process)?.summary.includes('is a type of the sender’s own')) return texts.own_type;
  if (/^payment_(?:created|pending|processing)$/.test(type)) return texts.unpaid;
  const isBeside = isByTheWay(process) || /^order_(?:created|updated)$/.test(type);
  return isBeside && order?.isSettled === false ? texts.beside : texts.no_rules;
}

/** What an event that was evaluated to the end has led to. */
export function judged(process: Process, situation: WhySituation, outcome: AuditEntry | null): Judged {
  const why = `${prefix(situation)} because after ${happened(process)}`;
  const ended = outcome?.details.outcome as Why['outcome'] | undefined;
  const ending = ended && (ended === 'no_rules' ? unheard(process, situation) : endings[ended]);
  if (outcome && ending) {
    return { outcome: ended, sentence: `${why} ${becauseOf(ending, outcome)}`, advice: ending.advice };
  }
  return ended === 'no_match' ? unmatched(process, why) : carriedOut(process, situation, why);
}

const outcomeText = (outcome: AuditEntry | null): string =>
  (outcome?.summary ?? '').replace(/^\S+ for order \d+: /, '');

/** How it ended, as a sentence of its own; of a refund that failed and a payment that came late what a person must know. */
export function outcomeSentence(process: Process): string {
  const [outcome, warning] = [outcomeOf(process), last(process, isLate) ?? last(process, isFailedRefund)];
  return warning?.summary.replace(/^Order \d+: /, '') ?? (outcome && amountsText(outcome)) ?? outcomeText(outcome);
}

/** Undefined of an entry that does not say which amounts they were. */
function amountsText({ details }: AuditEntry): string | undefined {
  const amounts = details.amount_mismatch as Record<'kind' | 'expected' | 'actual', string> | undefined;
  const says = amounts?.kind === 'amount_unreadable' ? "the event's amount cannot be read. " : 'the event says ';
  return amounts && `the order amounts to ${amounts.expected}, and ${says}${amounts.actual.replace(/\.?$/, '.')}`;
}

type Conditions = readonly { readonly result: string; readonly reason: string; readonly label: string }[];
const conditionsOf = ({ details }: AuditEntry): Conditions => (details.conditions ?? []) as Conditions;
const isEvaluation = ({ event_type }: AuditEntry): boolean => event_type === 'rule_evaluation';
const passedOf = (entry: AuditEntry): number => conditionsOf(entry).filter(({ result }) => result === 'pass').length;
const ruleOf = ({ details }: AuditEntry) => details.rule as { readonly id: number; readonly name: string } | undefined;

/** The rule that came nearest to matching, and how many others did not. */
function unmatched(process: Process, why: string): Judged {
  const evaluated = process.entries.filter((entry) => isEvaluation(entry) && entry.details.shadow === undefined);
  const nearest = [...evaluated].sort((a, b) => passedOf(b) - passedOf(a))[0];
  if (!nearest) return { outcome: 'no_match', sentence: `${why} no rule matched.`, advice: null };
  const failing = conditionsOf(nearest).find(({ result }) => result === 'fail' || result === 'error');
  const rule = `rule "${ruleOf(nearest)?.name ?? nearest.rule_id}"`;
  // Of a process with many entries only so many are read; its outcome has the count.
  const others = Math.max(evaluated.length, Number(outcomeOf(process)?.details.rules_evaluated ?? 0)) - 1;
  const more = others === 1 ? 'One other rule' : `${others} other rules`;
  const too = others === 0 ? '' : ` ${more} did not match either.`;
  const reason = failing ? `${failing.label}: ${failing.reason}.` : nearest.summary;
  return advised('no_match', `${why} ${rule} did not match. ${reason}${too}`);
}

function carriedOut(process: Process, situation: WhySituation, why: string): Judged {
  const failed = last(process, ({ event_type }) => event_type === 'action_failed');
  if (failed) return advised('action_failed', `${why} an action could not be done. ${failed.summary}`);
  const broken = last(process, (entry) => isEvaluation(entry) && entry.status === 'error');
  if (broken) return advised('rule_failed', `${why} a rule could not be evaluated. ${broken.summary}`);
  const ran = process.entries.filter((entry) => isEvaluation(entry) && entry.status === 'success');
  const names = ran.map((entry) => `"${ruleOf(entry)?.name ?? entry.rule_id}"`).join(', ');
  const done = `Order ${situation.order_id}${situation.order ? ` is ${statusText(situation.order.status)}` : ''}: after ${happened(process)} ${ran.length === 1 ? 'rule' : 'rules'} ${names} ran`;
  const sent = situation.deliveries.filter(({ process_id }) => process_id === process.id);
  const part = partText(process);
  const stopper = ran.find(({ details }) => details.stop_processing === true);
  const stopped = stopper ? ` Rule "${ruleOf(stopper)?.name}" stopped the rules after it.` : '';
  const sentence = `${done}. ${changesText(process)}${part ?? ''}${stopped}`;
  return deliveredText(sent, done) ?? { outcome: 'done', sentence, advice: null };
}

/** What is missing of the order, unless another event of the same webhook has brought it. */
function partText(process: Process): string | undefined {
  const isPart = ({ event_type }: AuditEntry) => event_type === 'payment_partial';
  const paid = last(process, (entry) => isPart(entry) || eventOf(entry).generic_type === 'payment_completed');
  return paid && isPart(paid) ? paid.summary.replace(/^Order \d+:/, '') : undefined;
}

const attemptsText = ({ attempts_made: made }: DeliveryRecord): string =>
  made === 0 ? '' : ` after ${made} ${made === 1 ? 'attempt' : 'attempts'}`;

function deliveredText(sent: readonly DeliveryRecord[], done: string): Judged | null {
  const failed = sent.find(({ state }) => state === 'failed');
  if (failed) {
    const givenUp = `${sentText(failed)} was given up${attemptsText(failed)}: ${failed.reason}`;
    return advised('delivery_failed', `${done}, but ${givenUp}`);
  }
  const pending = sent.find(({ state }) => state === 'pending');
  if (!pending) return null;
  const { reason, next_attempt_at: at } = pending;
  const next = at === null ? '' : ` The next attempt is at ${momentText(at)}.`;
  const sentence = `${done}, and ${sentText(pending)} is not delivered yet: ${reason ?? 'it is being sent.'}${next}`;
  return { outcome: 'delivery_waiting', sentence, advice: null };
}

const sentText = ({ kind, target }: DeliveryRecord): string =>
  kind === 'email' ? 'an e-mail' : `the call to ${target}`;

/** "It went from on hold to completed." */
function changesText({ entries }: Process): string {
  const executed = entries.filter(({ event_type }) => event_type === 'action_executed');
  const changed = executed.flatMap(({ details }) => (details.changes ?? []) as FieldChange[]);
  const status = changed.findLast(({ field }) => field === 'status');
  return status
    ? `It went from ${statusText(String(status.from))} to ${statusText(String(status.to))}.`
    : 'Its status was not changed.';
}

/** An event type in words: "Payment succeeded" in quotes, or what the sender calls it. */
export function eventText(type: string): string {
  const { label } = gatewayEvent(type);
  return `"${label ?? type.replace(/^payment\.(?:card|wallet|shop)\./, '').replaceAll('_', ' ')}"`;
}

const spoken = new Map([
  ...['checkout-draft', 'auto-draft'].map((status) => [status, 'a draft'] as const),
  ['trash', 'in the trash'],
]);
/** A status in words: "on hold". */
export const statusText = (status: string): string => spoken.get(status) ?? status.replaceAll('-', ' ');

/** "2026-11-23 12:03:20 UTC": the console shows it by the clocks of the shop. */
export const momentText = (time: string): string =>
  time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)[\d.]*Z$/, '$1 $2 UTC');
