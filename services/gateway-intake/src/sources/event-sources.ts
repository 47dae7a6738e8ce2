import { createOutbound, type ServiceDeps } from '@order-automation/service';
import type { IntakeConfig } from '../config';
import { cardEventSource } from './card-events';
import type { EventSource } from './source';
import { walletEventSource } from './wallet-events';

/** Most bytes of a page of a hundred events. */
const maxBytes = 16_000_000;
const timeout = 20_000;

/** The gateways that can be asked for the events they have sent: one line each. */
export function openEventSources({ cardApi, walletApi }: IntakeConfig, { log }: Pick<ServiceDeps, 'log'>) {
  // The operator has named them.
  const allowHosts = [cardApi, walletApi].map((address) => new URL(address).hostname);
  const outbound = createOutbound({ log, allowHosts, maxBytes, timeout });
  const all: readonly EventSource[] = [cardEventSource(cardApi, outbound), walletEventSource(walletApi, outbound)];
  return { all, close: async () => outbound.close() };
}
