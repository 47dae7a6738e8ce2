import type { Clock } from '@order-automation/service';
import type { Telemetry } from '../telemetry';
import type { WooCommerce } from './client';
import type { Handover } from './handover';
import type { Journal } from './journal';
import type { OrderLeases } from './leases';
import type { MissedSearches } from './missed-searches';
import type { OrderKeys } from './order-keys';
import type { OrderReader } from './order-reader';
import type { ProductFactsOf } from './products';
import type { Seen } from './seen';
import type { Statuses } from './statuses';
import type { StepJournal } from './step-journal';
import type { Watch } from './watch';

/** What the connector is made of: each part of it takes what it needs of this. */
export type WooCommerceDeps = {
  readonly shop: WooCommerce;
  readonly keys: OrderKeys;
  readonly seen: Seen;
  readonly statuses: Statuses;
  readonly missed: MissedSearches;
  readonly factsOf: ProductFactsOf;
  readonly read: OrderReader;
  readonly leases: OrderLeases;
  readonly journal: Journal;
  readonly steps: StepJournal;
  readonly handover: Handover;
  readonly watch: Watch;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
};
