import { message } from '@order-automation/contracts';
import { loadExtensions, type ServiceDeps, type SharedKeyRing, sealer } from '@order-automation/service';
import type { IntakeConfig } from '../config';
import { openConnections } from '../connections/connections';
import { type GatewaySettings, openEndpoints } from '../connections/endpoints';
import { openGatewaySecrets } from '../connections/gateway-secrets';
import type { Sender } from '../connections/secret-ends';
import { openSecretUses } from '../connections/secret-uses';
import { openCertificates } from '../connections/stored-certificates';
import { builtInAdapters, walletTrust } from './built-in';
import { cardGateway } from './card/adapter';
import { readingBy } from './connection';
import { genericGateway } from './generic/idempotency-keys';
import { withoutEmpty } from './payload';
import { createRouter } from './router';
import { shopGateway } from './shop/adapter';
import { walletGateway } from './wallet/adapter';

export type Settings = Awaited<ReturnType<typeof openSettings>>;

/** What administrators set, and the adapters that go by it. Rejects when the store is unavailable, or an extension cannot be loaded. */
export async function openSettings(
  { bus, store, clock, log }: Pick<ServiceDeps, 'bus' | 'store' | 'clock' | 'log'>,
  secretKeys: SharedKeyRing,
  config: IntakeConfig,
) {
  const certificates = await openCertificates(store, config.walletCertificates, log);
  /** The other instances read connections and secrets again at once; without this news they do within a second. */
  const settingsChanged = (): Promise<void> =>
    bus
      .publish(message('intake.settings-changed.v1', {}, { now: clock.now() }))
      .catch((error: unknown) => log.warn({ err: error }, 'other instances could not be told of changed settings'));
  const deps = { store, sealer: sealer(secretKeys), log, settingsChanged };
  const environment = { [cardGateway]: config.cardSecrets.reveal(), [shopGateway]: config.shopSecrets.reveal() };
  // The oldest: during a rotation some instances lack the newest key, and a name must be the same in all.
  const key = secretKeys.all.at(-1) ?? Buffer.alloc(0);
  const gatewaySecrets = await openGatewaySecrets(deps, { key, environment });
  const secretUses = await openSecretUses(store, clock, log);
  const connections = await openConnections(deps);
  secretKeys.onRotation(gatewaySecrets.reencrypt);
  secretKeys.onRotation(connections.reencrypt);
  const trust = walletTrust(config);
  const wallet = (): GatewaySettings => ({
    ...endpoints.settings(walletGateway),
    ...settingsOfEnvironment[walletGateway],
  });
  const router = createRouter(builtInAdapters(config, { certificates, connections, gatewaySecrets, trust, wallet }));
  await loadExtensions(config.extensions, 'register_gateway_adapters', () => router);
  const isKnown = (endpoint: string): boolean => {
    const name = endpoint.startsWith('generic/') ? endpoint.slice('generic/'.length) : undefined;
    return name === undefined ? router.adapterFor(endpoint) !== undefined : connections.byName(name) !== undefined;
  };
  const endpoints = await openEndpoints(deps, isKnown);
  const { cardOrderReference, cardOrderPrefix, walletOrderReference, walletOrderPrefix } = config;
  const settingsOfEnvironment: Readonly<Record<string, GatewaySettings>> = {
    [cardGateway]: withoutEmpty({ order_reference: cardOrderReference, order_prefix: cardOrderPrefix }),
    [walletGateway]: withoutEmpty({
      order_reference: walletOrderReference,
      order_prefix: walletOrderPrefix,
      webhook_id: config.walletWebhookId,
      receiver: config.walletReceivers.join(' ') || undefined,
      verify_url: config.walletVerifyUrl,
    }),
  };
  const readingOf = (gateway: string) => readingBy(endpoints.settings(gateway), settingsOfEnvironment[gateway]);
  /** Every sender that proves itself with secrets, and counts. */
  const senders = (): Sender[] => [
    ...gatewaySecrets.gateways().map((name) => ({ endpoint: name, secrets: gatewaySecrets.all(name) })),
    ...connections
      .all()
      .filter(({ enabled }) => enabled)
      .map(({ name, secrets }) => ({ endpoint: `${genericGateway}/${name}`, secrets })),
  ];
  const refresh = async (force = false): Promise<void> => {
    const secrets = [connections.refresh(), gatewaySecrets.refresh(), secretUses.refresh(force)];
    await Promise.all([...secrets, certificates.refresh(), endpoints.refresh()]);
  };
  return {
    certificates,
    connections,
    endpoints,
    gatewaySecrets,
    readingOf,
    settingsOfEnvironment,
    router,
    sealer: deps.sealer,
    secretUses,
    senders,
    trust,
    wallet,
    refresh,
  };
}
