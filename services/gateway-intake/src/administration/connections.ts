import { randomBytes } from 'node:crypto';
import {
  type ConnectionRecord,
  invalidParameters,
  type RequestInput,
  type RequestOutput,
  ServiceError,
} from '@order-automation/contracts';
import type { Clock, Sealer } from '@order-automation/service';
import { isDuplicateKey } from '@order-automation/store';
import { type ConnectionCollection, type ConnectionDocument, maxConnections } from '../connections/collection';
import type { Endpoints } from '../connections/endpoints';
import type { LiveConnections } from '../connections/live';
import type { Reading, StoredReading } from '../connections/reading';
import type { Sender } from '../connections/secret-ends';
import { storedSecret, withSecret } from '../connections/secret-set';
import type { SecretUses } from '../connections/secret-uses';
import { checkSecret, connectionSecrets, type SecretForm } from '../connections/secrets';
import type { FieldPaths } from '../gateways/connection';
import { withoutEmpty } from '../gateways/payload';
import { type AdapterRouter, reservedNames } from '../gateways/router';
import { compareAndSet } from './compare-and-set';
import { endHeld, type HeldDecision, type HeldEnd, type PausingParts, setPaused } from './pausing';
import { connectionRecord, endpointName } from './records';

export type ChangingConnections = {
  readonly collection: ConnectionCollection;
  readonly connections: LiveConnections;
  readonly clock: Clock;
  /** Tells the other instances. */
  readonly settingsChanged: () => Promise<void>;
};

export type ConnectionParts = PausingParts &
  ChangingConnections & {
    readonly endpoints: Endpoints;
    readonly router: AdapterRouter;
    readonly sealer: Sealer;
    readonly secretUses: SecretUses;
    readonly senders: () => readonly Sender[];
    readonly readingOf: (gateway: string) => Reading;
    readonly readingsOfEnvironment: Readonly<Record<string, StoredReading>>;
  };

type Fields = RequestInput<'intake.connection.create.v1'>['fields'];
type Shown = RequestOutput<'intake.connection.create.v1'>;

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
  return documents.map((document) => connectionRecord(document, counted.get(endpointName(document._id)), parts));
}

export async function getConnection(parts: ConnectionParts, name: string): Promise<ConnectionRecord> {
  return connectionRecord(await existingConnection(parts, name), await parts.endpoints.get(endpointName(name)), parts);
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
    version: 1,
  };
  const { document, secret } = withFields(blank, { auth_method: 'hmac', ...fields }, sealer, clock.now());
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
  let secret: string | null = null;
  await updateConnection(parts, name, (before) => {
    const changed = withFields(before, fields, parts.sealer, parts.clock.now());
    ({ secret } = changed);
    return changed.document;
  });
  if (fields.paused !== undefined) await setPaused(parts, endpointName(name), fields.paused);
  return { connection: await getConnection(parts, name), secret };
}

/** Rejects with 409 `svc_connection_holds_events` when events of it are held and `held` says nothing. */
export async function deleteConnection(
  parts: ConnectionParts,
  name: string,
  { held, by }: { readonly held: HeldDecision; readonly by: string },
): Promise<HeldEnd & { readonly left?: string }> {
  const endpoint = endpointName(name);
  await existingConnection(parts, name);
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

/** Compare and set; the other instances are told. */
export async function updateConnection(
  parts: ChangingConnections,
  name: string,
  change: (document: ConnectionDocument) => ConnectionDocument,
): Promise<void> {
  const { collection, connections, settingsChanged, clock } = parts;
  const read = () => existingConnection(parts, name);
  await compareAndSet(`the connection ${name}`, { read, replace: collection.replace }, (document) => ({
    ...change(document),
    updated_at: new Date(clock.now()).toISOString(),
  }));
  await connections.refresh();
  await settingsChanged();
}

/** 404 `svc_connection_not_found`. */
export async function existingConnection(
  { collection }: Pick<ConnectionParts, 'collection'>,
  name: string,
): Promise<ConnectionDocument> {
  const document = await collection.byName(name);
  if (!document) throw unknownConnection(name);
  return document;
}

type Changed = {
  readonly document: ConnectionDocument;
  /** The secret that was made here, to be shown once. */
  readonly secret: string | null;
};

/** The document with these fields. */
function withFields(before: ConnectionDocument, fields: Fields, sealer: Sealer, now: number): Changed {
  const { secret: _secret, public_key: _publicKey, paused: _paused, paths, ...settings } = fields;
  const { auth_method: method = before.auth_method } = fields;
  const header = (fields.hmac_header ?? before.hmac_header).toLowerCase();
  if (otherHeaders.has(header))
    throw invalidParameters([{ path: 'hmac_header', message: 'is a header that cannot hold a signature' }]);
  const form = connectionSecrets(before._id, method);
  const given = givenSecret(fields, form, method);
  const hasOtherMethod = method !== before.auth_method;
  const older = hasOtherMethod ? [] : before.secrets;
  const needsNew = method !== 'none' && (given !== undefined || older.length === 0);
  const value = needsNew ? (given ?? form.make()) : undefined;
  const made = value === undefined ? undefined : storedSecret(sealer, form.owner, value, now);
  const document = {
    ...before,
    ...withoutEmpty(settings),
    ...(paths && { paths: paths as FieldPaths }),
    auth_method: method,
    hmac_header: header,
    secrets: made ? withSecret(older, made, now, now) : older,
  };
  return { document, secret: given === undefined ? (value ?? null) : null };
}

function givenSecret(
  { secret, public_key: publicKey }: Fields,
  form: SecretForm,
  method: ConnectionDocument['auth_method'],
): string | undefined {
  const refuse = (message: string) => invalidParameters([{ path: 'public_key', message }]);
  if (publicKey !== undefined) {
    if (secret !== undefined) throw refuse('cannot stand beside a secret');
    if (method !== 'standard_webhooks') throw refuse('is for the method standard_webhooks alone');
    if (!publicKey.startsWith('whpk_')) throw refuse('must be "whpk_" and 32 bytes in base64');
  }
  const given = secret ?? publicKey;
  if (given !== undefined) checkSecret(form, given, secret === undefined ? 'public_key' : 'secret');
  return given;
}
