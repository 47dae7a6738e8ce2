import { type Answer, ServiceError } from '@order-automation/contracts';
import type { Evaluations } from '../attempts/evaluations';

export const rulesOfEvent: Answer<'evaluation.event.rules.v1', Evaluations> = async ({ event_id }, evaluations) => {
  const [document] = await evaluations.byIds([event_id]);
  if (!document) throw new ServiceError(404, 'svc_event_not_found', `There is no event ${event_id}.`, { id: event_id });
  if (document.rules.length > 0) return { rules: [...document.rules] };
  const text = 'No rule was evaluated for this event: it can be replayed with the rules as they are now.';
  throw new ServiceError(409, 'svc_event_not_evaluated', text, { id: event_id });
};
