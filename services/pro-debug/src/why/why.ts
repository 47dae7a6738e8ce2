import { type AuditEntry, type StoredEvent, senderText, type Why } from '@order-automation/contracts';
import cures from './advice.json';
import {
  causeOf,
  eventText,
  genericTypeOf,
  happened,
  isByTheWay,
  isDead,
  isFailedRefund,
  isHint,
  isLate,
  isOfDelivery,
  isOutcome,
  judged,
  last,
  momentText,
  movedTo,
  outcomeOf,
  outcomeSentence,
  type Process,
  prefix,
  statusText,
} from './why-decided';
import type { WhySituation } from './why-situation';

type Answer = Pick<Why, 'outcome' | 'sentence' | 'advice'> & {
  readonly process_id: string | null;
  readonly entries: readonly AuditEntry[];
};

/** What decided how the order stands: what is not finished, if it is the latest; else the last event that meant something. */
export function whyOf(situation: WhySituation): Why {
  const { order_id, order, unread } = situation;
  const all = processesOf(situation.entries);
  const processes = all.filter((one) => !isHint(one));
  const decided = tellingProcess(processes);
  const unfinished = unfinishedAnswer(situation, all);
  const isLatest = unfinished !== null && (decided === null || unfinished.since >= decided.started);
  const answer = isLatest
    ? unfinished.answer
    : decided
      ? withLater(decided, processes, situation)
      : untouched(situation);
  const since = isLatest || (!decided && order?.isSettled) ? '' : movedBy(situation);
  const caveat = unread === null ? '' : ` The order itself could not be read, so this is what the log says: ${unread}`;
  const sentence = answer.sentence + since + caveat;
  return { order_id, order_status: order?.status ?? null, ...answer, sentence, entries: [...answer.entries] };
}

/** Of a status that no rule has set, but a person, or the shop. */
function movedBy({ order, entries }: WhySituation): string {
  const change = entries.findLast(({ event_type }) => event_type === 'order_status_changed');
  const { author, order: to } = (change?.details ?? {}) as { author?: string; order?: { after: { status: string } } };
  if (!change || author === 'automation' || !to || to.after.status !== order?.status) return '';
  return ` ${author} set it to ${statusText(to.after.status)} at ${momentText(change.timestamp)}.`;
}

function processesOf(entries: readonly AuditEntry[]): Process[] {
  const byId = new Map<string, AuditEntry[]>();
  for (const entry of entries) byId.set(entry.process_id, [...(byId.get(entry.process_id) ?? []), entry]);
  return [...byId].map(([id, all]) => ({ id, entries: all, started: all[0]?.timestamp ?? '' }));
}

const isRetry = (entry: AuditEntry): boolean => entry.event_type === 'retry_scheduled' && !isOfDelivery(entry);

const ran: ReadonlySet<unknown> = new Set(['success', 'partial', 'error']);
/** An event that comes after a later one says less than these. */
const outlastsStale: ReadonlySet<unknown> = new Set([...ran, 'amount_mismatch', 'payment_partial']);

/** The process that decided; what repeats a payment, is of another shop or came too late decides where nothing else has. */
function tellingProcess(processes: readonly Process[]): Process | null {
  const ended = processes.filter((one) => last(one, isOutcome) ?? last(one, isDead));
  const endOf = (one: Process): unknown => outcomeOf(one)?.details.outcome;
  const notRepeated = ended.filter((one) => endOf(one) !== 'payment_repeated' && endOf(one) !== 'order_foreign');
  const current = notRepeated.filter((one) => endOf(one) !== 'stale');
  const telling = current.findLast((one) => !isByTheWay(one)) ?? current.at(-1);
  const latest = notRepeated.at(-1);
  if (latest && endOf(latest) === 'stale' && !(telling && outlastsStale.has(endOf(telling)))) return latest;
  return telling ?? ended.at(-1) ?? null;
}

/** Outcomes of events that are about another amount than that of the order, or about another payment. */
const ofAnotherAmount: ReadonlySet<unknown> = new Set(['amount_mismatch', 'payment_partial', 'other_payment']);
const judgedByRules: ReadonlySet<unknown> = new Set([...ran, 'no_match', 'no_rules']);

/** What is the answer in its place: the payment of the whole order, what set the status, one that came late, or, where no rule listens to it, the payment before it. */
function decidedBefore(decided: Process, own: string, processes: readonly Process[], { order }: WhySituation) {
  const ended = outcomeOf(decided)?.details.outcome;
  const before = processes.slice(0, processes.indexOf(decided));
  const sets = (one: Process) => order !== null && movedTo(one) === order.status;
  const tells = (one: Process) => sets(one) || (order?.isSettled === true && last(one, isLate) !== null);
  if (ofAnotherAmount.has(ended))
    return before.findLast((one) => isWholePayment(one) || (ended === 'other_payment' && sets(one))) ?? null;
  const isUnmoved = own === 'no_match' || (own === 'done' && movedTo(decided) === undefined);
  const setter = isUnmoved || ended === 'no_rules' || ended === 'stale' ? before.findLast(tells) : undefined;
  if (setter) return setter;
  const isBeside = ended === 'no_rules' && order?.isSettled === false && !isOfPayment(decided);
  return isBeside ? (before.findLast(isOfPayment) ?? null) : null;
}

function isOfPayment(process: Process): boolean {
  const outcome = causeOf(process);
  const ended = outcome?.details.outcome;
  const isPayment = /^payment_(?!refunded|reversed)/.test(genericTypeOf(outcome) ?? '');
  return isPayment && (judgedByRules.has(ended) || ofAnotherAmount.has(ended));
}

function isWholePayment(process: Process): boolean {
  const outcome = causeOf(process);
  const { outcome: ended, partial_payment, repeats } = outcome?.details ?? {};
  const isFirst = genericTypeOf(outcome) === 'payment_completed' && repeats === undefined;
  return isFirst && partial_payment === undefined && judgedByRules.has(ended);
}

type Unfinished = { readonly since: string; readonly answer: Answer };

/** The latest of what has not come to an end. */
function unfinishedAnswer(situation: WhySituation, processes: readonly Process[]): Unfinished | null {
  const retried = processes.flatMap((one) => {
    const retry = last(one, isRetry);
    const ended = last(one, isOutcome) ?? last(one, isDead);
    return retry && !ended ? [retryAnswer(situation, one, retry)] : [];
  });
  const known = new Set(processes.map(({ id }) => id));
  const events = situation.events.flatMap((event) => eventAnswer(situation, event, known));
  const waiting = situation.waiting.filter(({ process_id }) => !known.has(process_id));
  const all = [...retried, ...events, ...waiting.map((entry) => waitingAnswer(situation, entry))];
  return all.sort((a, b) => (a.since < b.since ? -1 : 1)).at(-1) ?? null;
}

function retryAnswer(situation: WhySituation, { id, started, entries }: Process, retry: AuditEntry): Unfinished {
  const sentence = `${prefix(situation)} because an event about it failed and is tried again: ${retry.summary}`;
  return { since: started, answer: { outcome: 'retrying', sentence, advice: cures.retrying, process_id: id, entries } };
}

function waitingAnswer(situation: WhySituation, entry: AuditEntry): Unfinished {
  const sentence = `${prefix(situation)}: an event has waited for it since ${momentText(entry.timestamp)}. ${entry.summary.replace(/^.*? yet\. /, '')}`;
  const { process_id, timestamp: since } = entry;
  return { since, answer: { outcome: 'waiting', sentence, advice: cures.waiting, process_id, entries: [entry] } };
}

function eventAnswer(situation: WhySituation, event: StoredEvent, decided: ReadonlySet<string>): Unfinished[] {
  const { state, process_id, received_at: since, gateway, connection, reason } = event;
  const sender = senderText(connection ?? gateway);
  const what = `${eventText(event.event_type)} from ${sender}, received at ${momentText(since)},`;
  const about = (outcome: Answer['outcome'], text: string, advice: string | null): Unfinished[] => [
    { since, answer: { outcome, sentence: `${prefix(situation)}: ${what} ${text}`, advice, process_id, entries: [] } },
  ];
  switch (state) {
    case 'held':
      return about('held', 'is held, because its sender is paused.', `Resume ${sender}: it goes on then.`);
    case 'verifying':
      return about('verifying', 'waits until the gateway confirms that it sent it.', null);
    case 'refused':
      return about('refused', `was refused: ${reason ?? 'it could not be used.'}`, cures.resend);
    case 'accepted':
      return decided.has(process_id) ? [] : about('in_flight', 'is being evaluated.', null);
    default:
      return [];
  }
}

function untouched(situation: WhySituation): Answer {
  const { order_id, order, refusals, entries } = situation;
  const { total, latest, unproven } = refusals;
  if (order?.isSettled) {
    const set = entries.findLast(
      ({ event_type, source }) => event_type === 'order_status_changed' && source === 'manual',
    );
    const how = set
      ? `${set.details.author} set this status at ${momentText(set.timestamp)}`
      : 'it came to this status in the shop itself';
    const sentence = `Order ${order_id} is ${statusText(order.status)}: ${how}, and no event has named it.`;
    return { outcome: 'no_event', sentence, advice: null, process_id: null, entries: [] };
  }
  if (latest === null) {
    const sentence = `${prefix(situation)} because no event has named it: no webhook of a gateway, and no change in the shop that a rule listens to.`;
    return { outcome: 'no_event', sentence, advice: cures.no_event, process_id: null, entries: [] };
  }
  const webhooks = total === 1 ? '1 webhook was' : `${total} webhooks were`;
  const sentence = `${prefix(situation)} because no event has named it; since it was created, ${webhooks} refused. The last: ${latest.summary}`;
  const rest = { outcome: 'refused', process_id: latest.process_id, entries: [latest] } as const;
  if (unproven === null) return { ...rest, sentence, advice: cures.refused };
  const likely = `No secret of ${unproven} has ever proved a webhook, so this is most likely its own, signed with another secret.`;
  const advice = cures.secret.replace('{sender}', senderText(unproven));
  return { ...rest, sentence: `${sentence} ${likely}`, advice };
}

function withLater(decided: Process, processes: readonly Process[], situation: WhySituation): Answer {
  const own = decidedAnswer(decided, situation);
  const earlier = decidedBefore(decided, own.outcome, processes, situation);
  if (!earlier) return own;
  const answer = decidedAnswer(earlier, situation);
  return { ...answer, sentence: `${answer.sentence} Later came ${happened(decided)}: ${outcomeSentence(decided)}` };
}

function decidedAnswer(process: Process, situation: WhySituation): Answer {
  const { id: process_id, entries } = process;
  const outcome = outcomeOf(process);
  const dead = last(process, isDead);
  const rest = { process_id, entries };
  if (dead && (outcome === null || dead.id > outcome.id)) {
    const sentence = `${prefix(situation)} because ${happened(process)} could not be evaluated and was given up: ${dead.details.reason}`;
    return { outcome: 'dead_letter', sentence, advice: cures.dead_letter, ...rest };
  }
  const late = last(process, isLate);
  if (late) return { outcome: 'late_payment', sentence: late.summary, advice: null, ...rest };
  const refund = last(process, isFailedRefund);
  if (refund && outcome?.details.outcome === 'no_rules')
    return { outcome: 'no_rules', sentence: refund.summary, advice: null, ...rest };
  return { ...judged(process, situation, outcome), ...rest };
}
