import { randomBytes } from 'node:crypto';
import {
  type ConnectionRecord,
  invalidParameters,
  type RequestInput,
  type RequestOutput,
  ServiceError,
} from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { isDuplicateKey } from '@order-automation/store';
import { type ConnectionCollection, type ConnectionDocument, maxConnections } from '../connections/collection';
import type { Endpoints } from '../connections/endpoints';
import type { LiveConnections } from '../connections/live';
import type { Reading, StoredReading } from '../connections/reading';
import type { Sealer } from '../connections/sealed';
import type { Sender } from '../connections/secret-ends';
import { withoutSecret, withSecret } from '../connections/secret-set';
import type { SecretUses } from '../connections/secret-uses';
import { checkSecret, newSecret, sealedFor, storedSecret } from '../connections/secrets';
import type { FieldPaths } from '../gateways/connection';
import { type AdapterRouter, reservedNames } from '../gateways/router';
import { endHeld, type HeldDecision, type HeldEnd, type PausingParts, setPaused } from './pausing';
import { endpointName, connectionRecord as recordOf } from './records';

export type ConnectionParts = PausingParts & {
  readonly collection: ConnectionCollection;
  readonly connections: LiveConnections;
  readonly endpoints: Endpoints;
  readonly router: AdapterRouter;
  readonly sealer: Sealer;
  readonly secretUses: SecretUses;
  readonly senders: () => readonly Sender[];
  readonly clock: Clock;
  readonly readingOf: (gateway: string) => Reading;
  readonly readingsOfEnvironment: Readonly<Record<string, StoredReading>>;
  /** Tells the other instances. */
  readonly settingsChanged: () => Promise<void>;
};

type Fields = RequestInput<'intake.connection.create.v1'>['fields'];
type Shown = RequestOutput<'intake.connection.create.v1'>;

const hour = 3_600_000;

/** Headers that never reach intake, or that mean something else. */
const otherHeaders: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'transfer-encoding',
  'upgrade',
]);

export async function listConnections(parts: ConnectionParts): Promise<ConnectionRecord[]> {
  const [documents, counted] = await Promise.all([parts.collection.all(), parts.endpoints.all()]);
  return documents.map((document) => recordOf(document, counted.get(endpointName(document._id)), parts));
}

export async function getConnection(parts: ConnectionParts, name: string): Promise<ConnectionRecord> {
  return recordOf(await existing(parts, name), await parts.endpoints.get(endpointName(name)), parts);
}

export async function createConnection(parts: ConnectionParts, name: string, fields: Fields): Promise<Shown> {
  const { collection, router, clock, sealer, connections } = parts;
  if (reservedNames.has(name) || router.adapterFor(name))
    throw invalidParameters([{ path: 'name', message: 'is the name of a gateway or of a route' }]);
  if (connections.all().length >= maxConnections)
    throw invalidParameters([{ path: 'name', message: `there are ${maxConnections} connections already` }]);
  const now = new Date(clock.now()).toISOString();
  const blank: ConnectionDocument = {
    _id: name,
    id: `conn_${randomBytes(8).toString('hex')}`,
    enabled: true,
    auth_method: 'hmac',
    hmac_header: 'x-signature',
    encoding: 'hex',
    prefix: '',
    paths: {},
    secrets: [],
    created_at: now,
    updated_at: now,
    version: 0,
  };
  const { document, secret } = changed(blank, { auth_method: 'hmac', ...fields }, sealer, clock.now());
  try {
    await collection.insert(document);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw invalidParameters([{ path: 'name', message: 'is the name of another connection' }]);
  }
  await connections.refresh();
  await parts.settingsChanged();
  if (fields.paused !== undefined) await setPaused(parts, endpointName(name), fields.paused);
  return { connection: await getConnection(parts, name), secret };
}

export async function changeConnection(parts: ConnectionParts, name: string, fields: Fields): Promise<Shown> {
  const secret = await update(parts, name, (document) => changed(document, fields, parts.sealer, parts.clock.now()));
  if (fields.paused !== undefined) await setPaused(parts, endpointName(name), fields.paused);
  return { connection: await getConnection(parts, name), secret };
}

export type NewSecret = {
  /** For how long older ones count; null: as long as they did. */
  readonly overlapHours: number | null;
  readonly given: string | undefined;
};

/** A new secret; those before it count for `overlapHours` more, or as long as they did. */
export async function rotateSecret(
  parts: ConnectionParts,
  name: string,
  { overlapHours, given }: NewSecret,
): Promise<Shown> {
  const { sealer, clock } = parts;
  const secret = await update(parts, name, (document) => {
    if (document.auth_method === 'none')
      throw invalidParameters([{ path: 'auth_method', message: 'is "none": there is no secret to rotate' }]);
    if (given !== undefined) checkSecret(document.auth_method, given);
    const value = given ?? newSecret(document.auth_method);
    const now = clock.now();
    const made = storedSecret(sealer, sealedFor(name), value, now);
    const end = overlapHours === null ? null : now + overlapHours * hour;
    const secrets = withSecret(document.secrets, made, end, now);
    return { document: touched({ ...document, secrets }, now), secret: given === undefined ? value : null };
  });
  return { connection: await getConnection(parts, name), secret };
}

/** Ends a secret at once; resolves with its last four characters. 404 `svc_secret_not_found`. */
export async function removeConnectionSecret(parts: ConnectionParts, name: string, id: string): Promise<string> {
  let last4 = '';
  await update(parts, name, (document) => {
    const now = parts.clock.now();
    const without = withoutSecret(document.secrets, id, now);
    if (!without) throw unknownSecret(id);
    ({ last4 } = without.removed);
    return { document: touched({ ...document, secrets: without.secrets }, now), secret: null };
  });
  await parts.secretUses.forget(id);
  return last4;
}

export function unknownSecret(id: string): ServiceError {
  return new ServiceError(404, 'svc_secret_not_found', 'There is no secret of this id.', { id });
}

/** Rejects with 409 `svc_connection_holds_events` when events of it are held and `held` says nothing. */
export async function deleteConnection(
  parts: ConnectionParts,
  name: string,
  { held, by }: { readonly held: HeldDecision; readonly by: string },
): Promise<HeldEnd & { readonly left?: string }> {
  const endpoint = endpointName(name);
  await existing(parts, name);
  const end = await endHeld(parts, { endpoint, name, held, by });
  if (!(await parts.collection.remove(name))) throw unknownConnection(name);
  await parts.connections.refresh();
  await parts.settingsChanged();
  await parts.endpoints.remove(endpoint);
  if (parts.connections.all().length > 0) return end;
  const state = parts.router.adapterFor('generic')?.status?.(parts.clock.now());
  return { ...end, left: state?.active && state.permissive ? lastOpens : lastCloses };
}

const lastCloses =
  'It was the last one; /webhooks/generic stays closed, unless GENERIC_REQUIRE_CONNECTION=false opens it on purpose.';
const lastOpens =
  'It was the last one, and GENERIC_REQUIRE_CONNECTION=false: anybody who reaches this port can move orders through /webhooks/generic now.';

/** Of the specification (section 4.3): what callers take for connections. */
const gatewayNames: ReadonlySet<string> = new Set(['gateway_card', 'gateway_wallet', 'generic']);

export function unknownConnection(name: string): ServiceError {
  const text = gatewayNames.has(name)
    ? `${name} is a gateway, not a connection: its address is /v1/webhooks/${name}, its settings are PUT /v1/webhooks/gateways/${name}.`
    : 'There is no connection of this name. GET /v1/webhooks lists the connections, GET /v1/webhooks/gateways the gateways.';
  return new ServiceError(404, 'svc_connection_not_found', text, { name });
}

type Change = { readonly document: ConnectionDocument; readonly secret: string | null };

/** Compare and set, so that of two changes at once neither is lost. */
async function update(
  { collection, connections, settingsChanged }: ConnectionParts,
  name: string,
  change: (document: ConnectionDocument) => Change,
): Promise<string | null> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const { document, secret } = change(await existing({ collection }, name));
    if (await collection.replace(document)) {
      await connections.refresh();
      await settingsChanged();
      return secret;
    }
  }
  throw new ServiceError(412, 'svc_version_conflict', 'The connection is being changed by somebody else.', { name });
}

async function existing(
  { collection }: Pick<ConnectionParts, 'collection'>,
  name: string,
): Promise<ConnectionDocument> {
  const document = await collection.byName(name);
  if (!document) throw unknownConnection(name);
  return document;
}

/** The document with these fields. `secret` is the one that we made, to be shown once. */
function changed(before: ConnectionDocument, fields: Fields, sealer: Sealer, now: number): Change {
  const method = fields.auth_method ?? before.auth_method;
  const header = (fields.hmac_header ?? before.hmac_header).toLowerCase();
  if (otherHeaders.has(header))
    throw invalidParameters([{ path: 'hmac_header', message: 'is a header that cannot hold a signature' }]);
  const given = givenSecret(fields, method);
  const needsNew =
    method !== 'none' && (given !== undefined || method !== before.auth_method || before.secrets.length === 0);
  const value = needsNew ? (given ?? newSecret(method)) : undefined;
  const made = value === undefined ? undefined : storedSecret(sealer, sealedFor(before._id), value, now);
  const older = method === before.auth_method ? before.secrets : [];
  const secrets = method === 'none' ? [] : made ? withSecret(older, made, now, now) : before.secrets;
  const document = {
    ...before,
    enabled: fields.enabled ?? before.enabled,
    auth_method: method,
    hmac_header: header,
    encoding: fields.encoding ?? before.encoding,
    prefix: fields.prefix ?? before.prefix,
    paths: (fields.paths as FieldPaths | undefined) ?? before.paths,
    amount_unit: fields.amount_unit ?? before.amount_unit ?? 'major',
    order_reference: fields.order_reference ?? before.order_reference ?? 'auto',
    order_prefix: fields.order_prefix ?? before.order_prefix ?? '',
    secrets,
  };
  return { document: touched(document, now), secret: given === undefined ? (value ?? null) : null };
}

function givenSecret(
  { secret, public_key: publicKey }: Fields,
  method: ConnectionDocument['auth_method'],
): string | undefined {
  if (secret !== undefined && publicKey !== undefined)
    throw invalidParameters([{ path: 'public_key', message: 'cannot stand beside a secret' }]);
  if (publicKey !== undefined && method !== 'standard_webhooks')
    throw invalidParameters([{ path: 'public_key', message: 'is for the method standard_webhooks alone' }]);
  if (method === 'none' && secret !== undefined)
    throw invalidParameters([{ path: 'secret', message: 'cannot stand beside the method "none"' }]);
  if (publicKey !== undefined && !publicKey.startsWith('whpk_'))
    throw invalidParameters([{ path: 'public_key', message: 'must be "whpk_" and 32 bytes in base64' }]);
  const given = secret ?? publicKey;
  if (given !== undefined) checkSecret(method, given, secret === undefined ? 'public_key' : 'secret');
  return given;
}

function touched(document: ConnectionDocument, now: number): ConnectionDocument {
  return { ...document, updated_at: new Date(now).toISOString(), version: document.version + 1 };
}
