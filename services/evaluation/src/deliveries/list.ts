import { type Answer, type DeliveryRecord, isoTime, paginate, ServiceError } from '@order-automation/contracts';
import { countedReasons, redactText, withId } from '@order-automation/service';
import { type Deliveries, type DeliveryDocument, filterOf } from './document';

/** Newest first. */
export const listDeliveries: Answer<'evaluation.delivery.list.v1', Deliveries> = async (
  { filter, page, per_page, with_reasons = false },
  deliveries,
) => {
  const wanted = filterOf(filter);
  const [found, total] = await Promise.all([
    deliveries.newest(wanted, (page - 1) * per_page, per_page),
    deliveries.count(wanted),
  ]);
  const reasons = with_reasons ? { reasons: countedReasons(await deliveries.reasons(wanted, maxReasons)) } : {};
  return { deliveries: found.map(recordOf), pagination: paginate(total, page, per_page), ...reasons };
};

const maxReasons = 10_000;

export const getDelivery: Answer<'evaluation.delivery.get.v1', Deliveries> = async ({ id }, deliveries) => {
  const known = await existingDelivery(id, deliveries);
  const { rule_name, action, key: idempotency_key, attempts } = known;
  const details = { rule_name, action, idempotency_key, request: requestOf(known), attempts: [...attempts] };
  return { delivery: { ...recordOf(known), ...details } };
};

function requestOf({ payload, target, key }: DeliveryDocument): string | null {
  if (payload === '') return null;
  const { to, subject, text, body } = JSON.parse(payload) as Readonly<Record<string, string>>;
  const head = body === undefined ? `To: ${to}\nSubject: ${subject}` : `POST ${target}\nIdempotency-Key: ${key}`;
  return redactText(`${head}\n\n${body ?? text}`);
}

export async function existingDelivery(id: string, deliveries: Deliveries): Promise<DeliveryDocument> {
  const known = await deliveries.byId(id);
  if (!known) throw new ServiceError(404, 'svc_delivery_not_found', 'There is no delivery with this id.', { id });
  return known;
}

/** What the interface does not name of a delivery stays here: answers have the fields of their contract alone. */
export const recordOf = (delivery: DeliveryDocument): DeliveryRecord => ({
  ...withId(delivery),
  next_attempt_at: delivery.next_attempt_at === null ? null : isoTime(delivery.next_attempt_at),
  created_at: isoTime(delivery.created_at),
  ended_at: delivery.ended_at === null ? null : isoTime(delivery.ended_at),
});
