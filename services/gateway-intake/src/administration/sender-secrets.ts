import {
  invalidParameters,
  type RequestInput,
  type RequestOutput,
  type RequestType,
  type SenderSecret,
  ServiceError,
} from '@order-automation/contracts';
import type { AdapterRouter } from '../gateways/router';
import { secretGiven, secretRemoved } from './change-entries';
import { type ChangeParts, recordedChange, someone } from './change-log';
import { type ConnectionParts, getConnection, removeConnectionSecret, rotateSecret } from './connections';
import {
  type Added,
  addGatewaySecret,
  type GatewaySecretParts,
  listGatewaySecrets,
  removeGatewaySecret,
} from './gateway-secrets';

export type SenderSecretParts = GatewaySecretParts & ConnectionParts & ChangeParts & { readonly router: AdapterRouter };

type Handlers = { [T in RequestType]?: (input: RequestInput<T>) => Promise<RequestOutput<T>> };
type Target = Pick<RequestInput<'intake.secret.list.v1'>, 'gateway' | 'connections'>;

export function connectionWords(name: string): string {
  return `the connection ${name}`;
}

/** Secrets of gateways and of connections by one set of requests (decisions.md section 11): a name is that of one or the other. */
export function secretHandlers(parts: SenderSecretParts): Handlers {
  return {
    'intake.secret.list.v1': async (target) => ({ secrets: await listSecrets(parts, target) }),
    'intake.secret.add.v1': async (input) => {
      const { overlap_hours: overlapHours, by = someone } = input;
      const words = wordsOf(parts, input);
      const environment = environmentAfter(parts, input);
      return recordedChange(
        parts,
        secretGiven(by, words, { overlapHours, environment }),
        () => addSecret(parts, input),
        ({ last4 }) => secretGiven(by, words, { last4, overlapHours, environment }),
      );
    },
    'intake.secret.remove.v1': async ({ id, by = someone, ...target }) => {
      const words = wordsOf(parts, target);
      const { gateway } = target;
      const isConnection = !parts.router.adapterFor(gateway);
      let last4 = '';
      return recordedChange(
        parts,
        secretRemoved(by, words),
        async () => {
          last4 = isConnection
            ? await removeConnectionSecret(parts, gateway, id)
            : await removeGatewaySecret(parts, gateway, id);
          return { deleted: true as const };
        },
        () => secretRemoved(by, words, last4),
      );
    },
  };
}

async function listSecrets(parts: SenderSecretParts, target: Target): Promise<SenderSecret[]> {
  wordsOf(parts, target);
  return parts.router.adapterFor(target.gateway)
    ? listGatewaySecrets(parts, target.gateway)
    : secretsOfConnection(parts, target.gateway);
}

async function addSecret(parts: SenderSecretParts, input: RequestInput<'intake.secret.add.v1'>): Promise<Added> {
  const { gateway, overlap_hours: overlapHours, secret: given, include_environment = false } = input;
  if (parts.router.adapterFor(gateway)) {
    if (!parts.gatewaySecrets.has(gateway)) throw hasNoSecrets(gateway);
    return addGatewaySecret(parts, gateway, { overlapHours, given, includeEnvironment: include_environment });
  }
  const { secret } = await rotateSecret(parts, gateway, { overlapHours, given });
  const [made, ...older] = await secretsOfConnection(parts, gateway);
  if (!made) throw new Error('a secret that was added is not there');
  return { ...made, secret, older };
}

async function secretsOfConnection(parts: ConnectionParts, name: string): Promise<SenderSecret[]> {
  const { secrets } = await getConnection(parts, name);
  return secrets.map(({ id = '', last4, created_at, expires_at, last_used_at = null }) => ({
    id,
    last4,
    source: 'api' as const,
    since: created_at,
    until: expires_at,
    last_used_at,
  }));
}

/** What becomes of the environment's secrets of the gateway; undefined where it has none, as connections do. */
function environmentAfter(
  { gatewaySecrets }: SenderSecretParts,
  { gateway, include_environment: ends = false }: RequestInput<'intake.secret.add.v1'>,
): 'ends' | 'stays' | undefined {
  if (!gatewaySecrets.has(gateway) || gatewaySecrets.environment(gateway).length === 0) return undefined;
  return ends ? 'ends' : 'stays';
}

/** What the log calls the target. Throws when there is none, or the caller may not have it. */
function wordsOf({ router, connections }: SenderSecretParts, { gateway, connections: allowed }: Target): string {
  if (router.adapterFor(gateway)) return gateway;
  if (!connections.byName(gateway)) {
    const text = 'There is no gateway or connection of this name.';
    throw new ServiceError(404, 'svc_gateway_not_found', text, { gateway });
  }
  if (!allowed)
    throw new ServiceError(403, 'svc_licence_required', 'Connections are part of the extended edition.', {
      violations: [{ path: 'gateway', message: 'is a connection: they need the extended edition' }],
    });
  return connectionWords(gateway);
}

const otherProof: Readonly<Record<string, string>> = {
  generic: 'has no secret of its own: each of its connections has; name one',
  gateway_wallet: 'proves its webhooks with certificates: POST /v1/webhooks/certificates loads one',
};

function hasNoSecrets(gateway: string): ServiceError {
  const message = otherProof[gateway] ?? 'is a gateway whose webhooks are not proved by secrets that are kept here';
  return invalidParameters([{ path: 'gateway', message }]);
}
