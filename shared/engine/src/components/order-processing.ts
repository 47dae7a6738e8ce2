import type { Trigger } from '../component';

const ahead = new Set(['pending', 'on-hold', 'failed', 'checkout-draft']);
const fires = 'the trigger fires when an order enters processing or a payment for it completes';

/** decisions.md section 4: an order enters `processing`, or a payment for it completes. */
export const orderProcessing: Trigger = {
  kind: 'trigger',
  id: 'order_processing',
  label: 'Order enters processing',
  description: 'Fires when an order enters the status processing, or when a payment for it completes.',
  edition: 'default',
  isDefault: true,
  priority: 10,
  schema: {
    type: 'object',
    title: 'Order enters processing',
    properties: {},
    required: [],
    additionalProperties: false,
  },
  listensTo: () => [{ type: 'payment_completed' }, { type: 'order_status_changed', to_status: 'processing' }],
  wouldFire: (_settings, { status }) => {
    if (status === 'processing') return { would_fire: true, reason: `the order is in status processing; ${fires}` };
    if (ahead.has(status))
      return { would_fire: true, reason: `the order is in status ${status} and would enter processing; ${fires}` };
    return {
      would_fire: false,
      reason: `the order is in status ${status}, which does not lead to processing; ${fires}`,
    };
  },
};
