import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import type { IntakeConfig } from '../config';
import type { Connections } from '../connections/connections';
import type { GatewaySettings } from '../connections/endpoints';
import type { GatewaySecrets } from '../connections/gateway-secrets';
import type { Certificates } from '../connections/stored-certificates';
import type { GatewayAdapter } from './adapter';
import { cardAdapter, cardGateway } from './card/adapter';
import { genericAdapter } from './generic/adapter';
import { shopAdapter, shopGateway } from './shop/adapter';
import { walletAdapter } from './wallet/adapter';
import { readFor, readPem, type Trust } from './wallet/certificates';
import { postBack } from './wallet/post-back';

/** What adapters are made from besides the configuration. */
export type AdapterDeps = {
  readonly certificates: Pick<Certificates, 'byId' | 'all'>;
  readonly connections: Pick<Connections, 'all' | 'hasExisted'>;
  readonly gatewaySecrets: Pick<GatewaySecrets, 'all'>;
  readonly trust: () => Trust;
  /** Settings of the wallet as they are now. */
  readonly wallet: () => GatewaySettings;
};

/** The adapters that are built in (section 6 of the specification): one line each. Throws when a file of the configuration cannot be read. */
export function builtInAdapters(
  config: IntakeConfig,
  { certificates, connections, gatewaySecrets, trust, wallet }: AdapterDeps,
): readonly GatewayAdapter[] {
  const { requireConnection } = config;
  const confirmed = postBack(() => wallet().verify_url ?? '');
  return [
    cardAdapter({ secrets: () => gatewaySecrets.all(cardGateway), mode: config.cardMode }),
    walletAdapter({
      get webhookId() {
        return wallet().webhook_id || undefined;
      },
      certificateById: certificates.byId,
      certificates: () => certificates.all().length,
      trust,
      get receivers() {
        return new Set((wallet().receiver ?? '').toLowerCase().split(/\s+/).filter(Boolean));
      },
      get postBack() {
        return wallet().verify_url ? confirmed : undefined;
      },
    }),
    genericAdapter({
      requireConnection,
      hasConnections: () => connections.all().length > 0,
      hadConnections: connections.hasExisted,
    }),
    shopAdapter({ secrets: () => gatewaySecrets.all(shopGateway) }),
  ];
}

/**
 * What certificates of the wallet must lead to and be about. The public roots are read when the first certificate asks for them: there are
 * 150 of them. Throws ConfigError when the bundle cannot be read.
 */
export function walletTrust({ walletTrust: file, walletSubject: subject }: IntakeConfig): () => Trust {
  let roots = file === undefined ? undefined : readFor('walletTrust', () => readPem(readFileSync(file, 'utf8')));
  return () => {
    roots ??= readPem(rootCertificates.join('\n'));
    return { roots, subject };
  };
}
