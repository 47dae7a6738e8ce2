import type { OrderReference, OrderReferenceKind } from '@order-automation/contracts';

/** How a sender's references are read, as it is set; absent: `auto`, and no prefix of its own. */
export type ReadingSettings = {
  readonly order_reference?: OrderReferenceKind | undefined;
  readonly order_prefix?: string | undefined;
};

/** Undefined where nothing is set. */
export function readingOf({ order_reference = 'auto', order_prefix = '' }: ReadingSettings): OrderReference['reading'] {
  if (order_reference === 'auto' && order_prefix === '') return undefined;
  return { order_reference, order_prefix: order_prefix === '' ? null : order_prefix };
}

/** The settings as listings show them. */
export function shownReading({ order_reference = 'auto', order_prefix = '' }: ReadingSettings) {
  return { order_reference, order_prefix };
}
