import type { EventDescription, GenericType } from '@order-automation/contracts';

/** Topics of the shop's own webhooks as ids, and what they mean. */
export const shopEvents = {
  order_created: { label: 'Order created', generic: 'order_created' },
  order_updated: { label: 'Order updated', generic: 'order_updated' },
  order_deleted: { label: 'Order deleted', generic: null },
  order_restored: { label: 'Order restored', generic: 'order_updated' },
  order_completed: { label: 'Order completed', generic: 'order_completed' },
  order_cancelled: { label: 'Order cancelled', generic: 'order_cancelled' },
  order_trashed: { label: 'Order in the trash', generic: null },
  order_draft: { label: 'Draft of an order', generic: null },
  order_gone: { label: 'Order gone before its webhook was sent', generic: null },
} as const satisfies Record<string, EventDescription>;

const byId = new Map<string, EventDescription>(Object.entries(shopEvents));

/** `order.updated` and `order_updated` are the same id. */
export function shopEventId(topic: string): string {
  return topic.toLowerCase().replaceAll('.', '_');
}

export function shopGenericType(topic: string): GenericType | null {
  return byId.get(shopEventId(topic))?.generic ?? null;
}
