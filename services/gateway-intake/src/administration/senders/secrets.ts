import { invalidParameters, type RequestInput, type SenderSecret, ServiceError } from '@order-automation/contracts';
import type { GatewaySecretsDocument } from '../../connections/gateway-secrets';
import {
  checkSecret,
  connectionSecrets,
  endedBy,
  gatewaySecretsOf,
  type SecretForm,
  type StoredSecret,
  storedSecret,
  withoutSecret,
  withSecret,
} from '../../connections/secret-set';
import { ownerOf } from '../../connections/sender-documents';
import { secretGiven, secretRemoved } from '../change-log/change-entries';
import { recordedChange, someone } from '../change-log/change-log';
import type { Handlers, Parts } from '../parts';
import { getConnection } from './connections';
import { listGatewaySecrets, shownSecrets } from './records';

/** Secrets of gateways and of connections by one set of requests (decisions.md section 11): a name is that of one or the other. */
export function secretHandlers(parts: Parts): Handlers {
  return {
    'intake.secret.list.v1': async (target) => ({ secrets: await requireTarget(parts, target).list() }),
    'intake.secret.add.v1': async (input) => {
      const { gateway } = input;
      const holder = requireTarget(parts, input);
      if (parts.router.adapterFor(gateway) && !parts.gatewaySecrets.has(gateway))
        throw invalidParameters([{ path: 'gateway', message: otherProof[gateway] ?? noProofHere }]);
      return giveSecret(parts, holder, input, async (secret) => {
        const [made, ...older] = await holder.list();
        if (!made) throw new Error('a secret that was added is not there');
        return { ...made, secret, older };
      });
    },
    'intake.secret.remove.v1': async ({ id, by = someone, ...target }) => {
      const holder = requireTarget(parts, target);
      let last4: string | undefined;
      const remove = async () => {
        if (parts.gatewaySecrets.environment(target.gateway).some((one) => one.id === id))
          throw new ServiceError(409, 'svc_secret_of_environment', ofEnvironment, { id });
        last4 = await removeSecret(parts, holder, id);
        return { deleted: true as const };
      };
      return recordedChange(parts, remove, () => secretRemoved(by, holder.words, last4));
    },
    'intake.connection.rotate.v1': async ({ name, ...input }) =>
      giveSecret(parts, connectionHolder(parts, name), input, async (secret) => ({
        connection: await getConnection(parts, name),
        secret,
      })),
  };
}

type Change = (secrets: readonly StoredSecret[], form: SecretForm) => readonly StoredSecret[];

/** A sender whose secrets are kept here: a gateway or a connection. */
type SecretHolder = {
  /** What the log calls it. */
  readonly words: string;
  readonly owner: string;
  /** What becomes of the environment's secrets of it when it gets another; undefined where it has none, as connections do. */
  readonly environment?: 'ends' | 'stays' | undefined;
  /** Those that count, newest first. */
  list(): Promise<SenderSecret[]>;
  /** Replaces those that administrators gave it. `end`: when a new one ends the older ones, in milliseconds since the epoch. */
  change(change: Change, end?: number | null): Promise<void>;
};

type Target = Pick<RequestInput<'intake.secret.list.v1'>, 'gateway' | 'connections'> &
  Pick<RequestInput<'intake.secret.add.v1'>, 'include_environment'>;

/** 404 `svc_gateway_not_found` when there is none of this name; 403 `svc_licence_required` when the caller may not have it. */
export function requireTarget(
  parts: Parts,
  { gateway, connections: allowed, include_environment }: Target,
): SecretHolder {
  if (parts.router.adapterFor(gateway)) return gatewayHolder(parts, gateway, include_environment);
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

function connectionHolder(parts: Parts, name: string): SecretHolder {
  const { connections, clock } = parts;
  return {
    words: `the connection ${name}`,
    owner: ownerOf('connection', name),
    list: async () => shownSecrets((await connections.existing(name)).secrets, parts),
    change: (change) =>
      connections.change(name, new Date(clock.now()).toISOString(), (document) => ({
        ...document,
        secrets: change(document.secrets, connectionSecrets(document.auth_method)),
      })),
  };
}

/** `endsEnvironment`: secrets of the environment get the end that a new one gives the older ones. */
function gatewayHolder(parts: Parts, gateway: string, endsEnvironment = false): SecretHolder {
  const { gatewaySecrets } = parts;
  return {
    words: gateway,
    owner: ownerOf('gateway', gateway),
    environment: gatewaySecrets.environment(gateway).length === 0 ? undefined : endsEnvironment ? 'ends' : 'stays',
    list: () => listGatewaySecrets(parts, gateway),
    change: async (change, end = null) => {
      await gatewaySecrets.change(gateway, (document) => ({
        ...document,
        secrets: change(document.secrets, gatewaySecretsOf(gateway)),
        ...(endsEnvironment && end !== null && { ended_environment: endEnvironment(parts, document, end) }),
      }));
    },
  };
}

const hour = 3_600_000;

type Given = Omit<RequestInput<'intake.secret.add.v1'>, 'gateway' | 'connections'>;

/** Puts a new secret before the others, the sender's own or one that is made here: that one is shown once, in this answer. */
function giveSecret<T>(
  parts: Parts,
  holder: SecretHolder,
  { overlap_hours: overlapHours, secret: given, by = someone }: Given,
  answer: (made: string | null) => Promise<T>,
): Promise<T> {
  const { sealer, clock } = parts;
  const { words, owner, environment } = holder;
  let value: string | undefined;
  const entry = () => secretGiven(by, words, { last4: value?.slice(-4), overlapHours, environment });
  const act = async (): Promise<T> => {
    const now = clock.now();
    const end = overlapHours === null ? null : now + overlapHours * hour;
    await holder.change((before, form) => {
      if (given !== undefined) checkSecret(form, given);
      const made = given ?? form.make();
      value = made;
      return withSecret(before, storedSecret(sealer, owner, made, now), end, now);
    }, end);
    return answer(given === undefined ? (value ?? null) : null);
  };
  return recordedChange(parts, act, entry);
}

/** Ends a secret at once; resolves with its last four characters. 404 `svc_secret_not_found`. */
async function removeSecret({ secretUses, clock }: Parts, holder: SecretHolder, id: string): Promise<string> {
  let last4 = '';
  await holder.change((before) => {
    const without = withoutSecret(before, id, clock.now());
    if (!without) throw new ServiceError(404, 'svc_secret_not_found', 'There is no secret of this id.', { id });
    ({ last4 } = without.removed);
    return without.secrets;
  });
  await secretUses.forget(id);
  return last4;
}

/** Ends of the environment's secrets that are remembered. */
const maxEnded = 50;

/** One end for each secret of the environment: this one, or an earlier one that it has. Those that another instance may still have keep theirs. */
function endEnvironment(
  { gatewaySecrets, sealer, clock }: Parts,
  { _id: gateway, ended_environment }: GatewaySecretsDocument,
  end: number,
): readonly StoredSecret[] {
  const owner = ownerOf('gateway', gateway);
  const current = gatewaySecrets.environment(gateway);
  const values = new Set(current.map(({ value }) => value));
  const elsewhere = ended_environment.filter((one) => !values.has(sealer.open(one.sealed, owner)));
  const ended = current.map(({ value, expiresAt }) =>
    endedBy(endedBy(storedSecret(sealer, owner, value, clock.now()), expiresAt), end),
  );
  return [...ended, ...elsewhere].slice(0, maxEnded);
}

const otherProof: Readonly<Record<string, string>> = {
  generic: 'has no secret of its own: each of its connections has; name one',
  gateway_wallet: 'proves its webhooks with certificates: POST /v1/webhooks/certificates loads one',
};

const noProofHere = 'is a gateway whose webhooks are not proved by secrets that are kept here';

const ofEnvironment =
  'This secret is set by an environment variable of the service, GATEWAY_CARD_SECRETS or GATEWAY_SHOP_SECRETS. Add a new secret that ends it too (include_environment), or remove it there and restart.';
