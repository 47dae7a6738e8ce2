import type { Clock } from '@order-automation/service';
import type { Telemetry } from '../telemetry';
import type { WooCommerce } from './client';
import type { Handover } from './handover';
import type { Journal } from './journal';
import type { OrderLeases } from './leases';
import type { OrderReader } from './order-reader';
import type { Watch } from './watch';

/** What changes orders of the shop. */
export type WooCommerceDeps = {
  readonly shop: WooCommerce;
  readonly read: OrderReader;
  readonly leases: OrderLeases;
  readonly journal: Journal;
  readonly handover: Handover;
  readonly watch: Watch;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
};
