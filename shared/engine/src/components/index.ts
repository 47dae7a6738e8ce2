/** Every component that the product brings. The listing sorts them. */
export { addOrderNote } from './add-order-note';
export { addOrderTag } from './add-order-tag';
export { anyStatusChange } from './any-status-change';
export {
  changeStatusToCancelled,
  changeStatusToCompleted,
  changeStatusToOnHold,
  changeStatusToProcessing,
} from './change-status';
export { country } from './country';
export { coupon } from './coupon';
export { customerOrderCount } from './customer-order-count';
export { customerRole } from './customer-role';
export { orderCancelled, orderCompleted, orderFailed, orderOnHold, orderRefunded } from './entered-status';
export { disputeOpened, paymentComplete, paymentFailed, refundCreated, subscriptionCancelled } from './event-trigger';
export { eventType } from './event-type';
export { eventVerified } from './event-verified';
export { itemCount } from './item-count';
export { orderCreated } from './order-created';
export { orderMeta } from './order-meta';
export { orderProcessing, orderProcessingOf } from './order-processing';
export { orderStatus } from './order-status';
export { orderTotal } from './order-total';
export { paymentMethod } from './payment-method';
export { product } from './product';
export { productCategory } from './product-category';
export { productTag } from './product-tag';
export { productType } from './product-type';
export { schedule } from './schedule';
export { sendEmail } from './send-email';
export { sendWebhook } from './send-webhook';
export { setOrderMeta } from './set-order-meta';
export { shippingMethod } from './shipping-method';
export { sourceGateway } from './source-gateway';
export { subscriptionRenewal } from './subscription-renewal';
export { timeWindow } from './time-window';
export { webhookEvent } from './webhook-event';
