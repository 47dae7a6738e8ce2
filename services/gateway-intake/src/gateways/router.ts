import { reservedSenders } from '@order-automation/contracts';
import type { GatewayAdapter } from './adapter';

const requiredFunctions = [
  'getSupportedEventTypes',
  'validateAuthenticity',
  'canHandle',
  'normalize',
  'computeIdempotencyKey',
  'extractTransactionId',
  'extractGatewaySpecificMetadata',
  'mapEventType',
] as const;

const texts = ['displayName', 'description', 'version'] as const;

/** Finds the adapter of an address. Only the addressed adapter ever sees a webhook. */
export type AdapterRouter = ReturnType<typeof createRouter>;

/** A router with these adapters; more can be registered (section 6.4 of the specification). */
export function createRouter(adapters: readonly GatewayAdapter[]) {
  const byGateway = new Map<string, GatewayAdapter>();
  const router = {
    /** Throws when the name is taken, is one of a route, or cannot be part of an address, when a function is missing, and when what is shown is no text. */
    registerAdapter(adapter: GatewayAdapter): void {
      const { gateway } = adapter;
      if (typeof gateway !== 'string') throw new Error('An adapter has no "gateway", the name in its address');
      if (!/^[a-z][a-z0-9_]{0,63}$/.test(gateway)) throw new Error(`"${gateway}" cannot be the name of a gateway`);
      if (reservedSenders.has(gateway)) throw new Error(`"${gateway}" is the name of a route`);
      if (byGateway.has(gateway)) throw new Error(`The gateway "${gateway}" has an adapter already`);
      const missing = requiredFunctions.filter((name) => typeof adapter[name] !== 'function');
      if (missing.length > 0) throw new Error(`The adapter of "${gateway}" has no function ${missing.join(', ')}`);
      const unusable = texts.filter((name) => adapter[name] !== undefined && typeof adapter[name] !== 'string');
      if (unusable.length > 0) throw new Error(`The adapter of "${gateway}" has no text in ${unusable.join(', ')}`);
      byGateway.set(gateway, adapter);
    },
    adapterFor: (gateway: string): GatewayAdapter | undefined => byGateway.get(gateway),
    adapters: (): readonly GatewayAdapter[] => [...byGateway.values()],
  };
  for (const adapter of adapters) router.registerAdapter(adapter);
  return router;
}
