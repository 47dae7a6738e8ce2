import type { OrderReference } from '@order-automation/contracts';

export type Reading = NonNullable<OrderReference['reading']>;

/** How a sender's references to orders are read, as it is stored: what is absent has the default. */
export type StoredReading = {
  readonly order_reference?: Reading['order_reference'];
  /** Empty: none of its own. */
  readonly order_prefix?: string;
};

export const readingOf = ({ order_reference = 'auto', order_prefix = '' }: StoredReading): Reading => ({
  order_reference,
  order_prefix: order_prefix === '' ? null : order_prefix,
});

/** What the environment says wins, field by field. */
export const readingBy = (stored: StoredReading, environment: StoredReading = {}): Reading =>
  readingOf({ ...stored, ...environment });

/** As an event carries it: the default needs no words. */
export const writtenReading = (reading: Reading | undefined): Reading | undefined =>
  reading?.order_reference === 'auto' && reading.order_prefix === null ? undefined : reading;
