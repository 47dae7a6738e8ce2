/** Every component that the product brings, one line each. The listing sorts them. */
export { addOrderNote } from './add-order-note';
export { changeStatusToCompleted } from './change-status-to-completed';
export { orderProcessing } from './order-processing';
export { orderTotal } from './order-total';
export { productType } from './product-type';
