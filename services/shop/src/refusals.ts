import { ServiceError } from '@order-automation/contracts';

/** What every connector refuses in the same words. */
export const orderNotFound = (id: number) => new ServiceError(404, 'svc_order_not_found', `There is no order ${id}.`);

export function otherRefund(): ServiceError {
  const text = 'This Idempotency-Key was used for another refund of the order. Use a new key for a new refund.';
  return new ServiceError(409, 'svc_refund_conflict', text);
}
