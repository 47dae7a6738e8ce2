import {
  invalidParameters,
  type RequestInput,
  type RequestOutput,
  type RequestType,
  ServiceError,
} from '@order-automation/contracts';
import type { AdapterRouter } from '../gateways/router';
import { secretGiven, secretRemoved } from './change-entries';
import { type ChangeParts, recordedChange, someone } from './change-log';
import { type ConnectionParts, getConnection } from './connections';
import {
  addSecret,
  connectionHolder,
  gatewayHolder,
  removeSecret,
  type SecretHolder,
  type SecretParts,
} from './sender-secrets';

export type SecretRequestParts = SecretParts & ConnectionParts & ChangeParts & { readonly router: AdapterRouter };

type Handlers = { [T in RequestType]?: (input: RequestInput<T>) => Promise<RequestOutput<T>> };

/** Secrets of gateways and of connections by one set of requests (decisions.md section 11): a name is that of one or the other. */
export function secretHandlers(parts: SecretRequestParts): Handlers {
  return {
    'intake.secret.list.v1': async (target) => ({ secrets: await requireTarget(parts, target).list() }),
    'intake.secret.add.v1': async (input) => {
      const { gateway, overlap_hours: overlapHours, secret: given, by = someone } = input;
      const holder = requireTarget(parts, input);
      const { words } = holder;
      const environment = environmentAfter(parts, input);
      return recordedChange(
        parts,
        secretGiven(by, words, { overlapHours, environment }),
        async () => {
          if (parts.router.adapterFor(gateway) && !parts.gatewaySecrets.has(gateway)) throw hasNoSecrets(gateway);
          const secret = await addSecret(parts, holder, { overlapHours, given });
          const [made, ...older] = await holder.list();
          if (!made) throw new Error('a secret that was added is not there');
          return { ...made, secret, older };
        },
        ({ last4 }) => secretGiven(by, words, { last4, overlapHours, environment }),
      );
    },
    'intake.secret.remove.v1': async ({ id, by = someone, ...target }) => {
      const holder = requireTarget(parts, target);
      let last4 = '';
      return recordedChange(
        parts,
        secretRemoved(by, holder.words),
        async () => {
          if (parts.gatewaySecrets.environment(target.gateway).some((one) => one.id === id))
            throw belongsToEnvironment(id);
          last4 = await removeSecret(parts, holder, id);
          return { deleted: true as const };
        },
        () => secretRemoved(by, holder.words, last4),
      );
    },
    'intake.connection.rotate.v1': ({ name, overlap_hours: overlapHours, secret: given, by = someone }) => {
      const holder = connectionHolder(parts, name);
      return recordedChange(
        parts,
        secretGiven(by, holder.words, { overlapHours }),
        async () => {
          const secret = await addSecret(parts, holder, { overlapHours, given });
          return { connection: await getConnection(parts, name), secret };
        },
        ({ connection: { secret_last4: last4 } }) =>
          secretGiven(by, holder.words, { overlapHours, ...(last4 !== null && { last4 }) }),
      );
    },
  };
}

type Target = Pick<RequestInput<'intake.secret.list.v1'>, 'gateway' | 'connections'> &
  Pick<RequestInput<'intake.secret.add.v1'>, 'include_environment'>;

/** 404 `svc_gateway_not_found` when there is none of this name; 403 `svc_licence_required` when the caller may not have it. */
function requireTarget(
  parts: SecretRequestParts,
  { gateway, connections: allowed, include_environment: endsEnvironment }: Target,
): SecretHolder {
  if (parts.router.adapterFor(gateway)) return gatewayHolder(parts, gateway, endsEnvironment);
  if (!parts.connections.byName(gateway)) {
    const text = 'There is no gateway or connection of this name.';
    throw new ServiceError(404, 'svc_gateway_not_found', text, { gateway });
  }
  if (!allowed)
    throw new ServiceError(403, 'svc_licence_required', 'Connections are part of the extended edition.', {
      violations: [{ path: 'gateway', message: 'is a connection: they need the extended edition' }],
    });
  return connectionHolder(parts, gateway);
}

/** What becomes of the environment's secrets of the gateway; undefined where it has none, as connections do. */
function environmentAfter({ gatewaySecrets }: SecretRequestParts, target: Target): 'ends' | 'stays' | undefined {
  if (gatewaySecrets.environment(target.gateway).length === 0) return undefined;
  return target.include_environment ? 'ends' : 'stays';
}

const otherProof: Readonly<Record<string, string>> = {
  generic: 'has no secret of its own: each of its connections has; name one',
  gateway_wallet: 'proves its webhooks with certificates: POST /v1/webhooks/certificates loads one',
};

function hasNoSecrets(gateway: string): ServiceError {
  const message = otherProof[gateway] ?? 'is a gateway whose webhooks are not proved by secrets that are kept here';
  return invalidParameters([{ path: 'gateway', message }]);
}

function belongsToEnvironment(id: string): ServiceError {
  const text =
    'This secret is set in the environment: remove it from GATEWAY_CARD_SECRETS or GATEWAY_SHOP_SECRETS, and restart. A new secret with include_environment ends it without a restart.';
  return new ServiceError(409, 'svc_secret_of_environment', text, { id });
}
