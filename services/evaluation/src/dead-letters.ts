import { isoTime, paginate, type RequestInput, type RequestOutput, ServiceError } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { type EvaluationDocument, type Evaluations, newDocument } from './evaluations';
import { taskOfEvent } from './task';

type Listed = RequestOutput<'evaluation.dead-letter.list.v1'>;

/** Events that were given up, the latest first. */
export async function listDeadLetters(
  { page, per_page }: RequestInput<'evaluation.dead-letter.list.v1'>,
  evaluations: Evaluations,
): Promise<Listed> {
  const [found, total] = await Promise.all([
    evaluations.deadLetters((page - 1) * per_page, per_page),
    evaluations.countDead(),
  ]);
  return { dead_letters: found.map(shown), pagination: paginate(total, page, per_page) };
}

function shown({ _id, origin, process_id, order_id, cause, error, attempts, done_at }: EvaluationDocument) {
  const { event_type, gateway, received_at } = cause;
  const given_up_at = isoTime(done_at ?? 0);
  return {
    event_id: _id,
    origin,
    process_id,
    order_id,
    event_type,
    gateway,
    reason: error ?? '',
    attempts,
    received_at,
    given_up_at,
  };
}

/**
 * Evaluates an event again. A dead letter continues where it failed. An event that is done runs again under the same process: what was done for
 * its occurrence is not done twice, and rules that were added since act. `original` evaluates the versions of the rules that it had the first time.
 */
export async function replayEvent(
  { event_id, rules, received }: RequestInput<'evaluation.event.replay.v1'>,
  evaluations: Evaluations,
  clock: Clock,
): Promise<RequestOutput<'evaluation.event.replay.v1'>> {
  const [document] = await evaluations.byIds([event_id]);
  if (!document) throw new ServiceError(404, 'svc_event_not_found', `There is no event ${event_id}.`);
  const due = clock.now() - 1;
  if (document.state === 'dead') {
    const open: EvaluationDocument = { ...document, state: 'open', outcome: null, attempts: 0, done_at: null, due };
    if (!(await evaluations.replace([open]))) throw busy(event_id);
    return { replay_id: event_id, process_id: document.process_id };
  }
  if (document.state !== 'done') throw busy(event_id);
  if (!received)
    throw new ServiceError(409, 'svc_event_not_replayable', `The payload of event ${event_id} is not kept.`);
  const task = taskOfEvent(received);
  const replay_id = `${event_id}:replay:${clock.now()}`;
  const fresh = { ...newDocument({ ...task, id: replay_id, process_id: document.process_id }), fence: 1, due };
  await evaluations.insert([{ ...fresh, original: rules === 'original' ? document.rules : null }]);
  return { replay_id, process_id: document.process_id };
}

const busy = (id: string) =>
  new ServiceError(409, 'svc_event_busy', `Event ${id} is being evaluated; it cannot be replayed now.`);
