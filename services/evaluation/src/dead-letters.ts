import { isoTime, paginate, type RequestInput, type RequestOutput, ServiceError } from '@order-automation/contracts';
import type { EvaluationDocument, Evaluations } from './evaluations';

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

/** The versions of the rules that an event was evaluated with. */
export async function rulesOfEvent(
  { event_id }: RequestInput<'evaluation.event.rules.v1'>,
  evaluations: Evaluations,
): Promise<RequestOutput<'evaluation.event.rules.v1'>> {
  const [document] = await evaluations.byIds([event_id]);
  if (!document) throw new ServiceError(404, 'svc_event_not_found', `There is no event ${event_id}.`, { id: event_id });
  if (document.rules.length > 0) return { rules: [...document.rules] };
  const text = 'No rule was evaluated for this event: it can be replayed with the rules as they are now.';
  throw new ServiceError(409, 'svc_event_not_evaluated', text, { id: event_id });
}
