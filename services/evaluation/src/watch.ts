import { type Relay, type ServiceDeps, startPolling } from '@order-automation/service';
import type { Deliveries } from './deliveries/document';
import { deliveryFigures } from './deliveries/figures';
import type { Evaluations } from './evaluations';
import type { Telemetry } from './telemetry';

export type WatchDeps = Pick<ServiceDeps, 'clock' | 'log'> & {
  readonly evaluations: Evaluations;
  readonly deliveries: Deliveries;
  readonly telemetry: Telemetry;
};

const watchEvery = 10_000;

/** Counts open events and the deliveries in each state, for graphs and alerts. */
export function startWatch({ evaluations, deliveries, telemetry, clock, log }: WatchDeps): Relay {
  const look = async (): Promise<void> => {
    const now = clock.now();
    telemetry.open(await evaluations.countOpen());
    telemetry.deliveries(await deliveryFigures(deliveries, now), now);
  };
  return startPolling('evaluation watch', watchEvery, look, { clock, log });
}
