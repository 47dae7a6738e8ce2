import { untrusted } from '../refusal';
import type { GatewayAdapter } from './adapter';

/** A gateway that is known and not set up: every webhook for it is refused and the log says why. */
export function unconfiguredAdapter(gateway: string, displayName: string, reason: string): GatewayAdapter {
  const refusal = untrusted('gateway_not_configured', reason);
  return {
    gateway,
    displayName,
    status: () => ({ active: false, reason }),
    getSupportedEventTypes: () => [],
    canHandle: () => false,
    validateAuthenticity: () => refusal,
    normalize: () => [],
    computeIdempotencyKey: () => '',
    extractTransactionId: () => null,
    extractGatewaySpecificMetadata: () => ({}),
    mapEventType: () => null,
  };
}
