import { loadExtensions, type ServiceDeps } from '@order-automation/service';
import type { IntakeConfig } from '../config';
import { openCertificates } from '../connections/certificates';
import { openConnections } from '../connections/collection';
import { openEndpoints } from '../connections/endpoints';
import { liveConnections } from '../connections/live';
import { sealer } from '../connections/sealed';
import { builtInAdapters, walletTrust } from './built-in';
import { createRouter } from './router';

/** What administrators set, and the adapters that go by it. Rejects when the store is unavailable, or an extension cannot be loaded. */
export async function openSettings({ store, log }: Pick<ServiceDeps, 'store' | 'log'>, config: IntakeConfig) {
  const certificates = await openCertificates(store, config.walletCertificates, log);
  const keys = sealer(config.secretKey.reveal());
  const collection = await openConnections(store);
  const connections = await liveConnections({ collection, sealer: keys, log });
  const trust = walletTrust(config);
  const router = createRouter(builtInAdapters(config, { certificates, connections, trust }));
  await loadExtensions(config.extensions, 'register_gateway_adapters', () => router);
  const isKnown = (endpoint: string): boolean => {
    const name = endpoint.startsWith('generic/') ? endpoint.slice('generic/'.length) : undefined;
    return name === undefined ? router.adapterFor(endpoint) !== undefined : connections.byName(name) !== undefined;
  };
  const endpoints = await openEndpoints(store, log, isKnown);
  const refresh = async (): Promise<void> => {
    await Promise.all([connections.refresh(), certificates.refresh(), endpoints.refresh()]);
  };
  return { certificates, collection, connections, endpoints, router, sealer: keys, trust, refresh };
}
