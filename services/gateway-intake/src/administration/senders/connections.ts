import { randomBytes } from 'node:crypto';
import {
  type Answer,
  type ConnectionRecord,
  invalidParameters,
  type RequestInput,
  reservedSenders,
} from '@order-automation/contracts';
import type { Sealer } from '@order-automation/service';
import { type ConnectionDocument, maxConnections } from '../../connections/connections';
import {
  checkSecret,
  connectionSecrets,
  type SecretForm,
  storedSecret,
  withSecret,
} from '../../connections/secret-set';
import { ownerOf } from '../../connections/sender-documents';
import type { FieldPaths } from '../../gateways/connection';
import tables from '../../gateways/generic/tables.json';
import { withoutEmpty } from '../../gateways/payload';
import { presetOf, presets } from '../../presets';
import { someone } from '../change-log/change-log';
import type { Parts } from '../parts';
import { endHeld, setPaused } from './pausing';
import { connectionRecord, endpointName } from './records';

type Fields = RequestInput<'intake.connection.create.v1'>['fields'];

/** Headers that never reach intake, or that mean something else. */
const otherHeaders: ReadonlySet<string> = new Set(tables.headers);

export async function listConnections(parts: Parts): Promise<ConnectionRecord[]> {
  const [documents, counted] = await Promise.all([parts.connections.stored(), parts.endpoints.all()]);
  return documents.map((document) => connectionRecord(document, counted.get(endpointName(document._id)), parts));
}

export const getConnection = async (parts: Parts, name: string): Promise<ConnectionRecord> =>
  connectionRecord(await parts.connections.existing(name), await parts.endpoints.get(endpointName(name)), parts);

/** `url` is its whole address, where the caller knows it: some senders sign it. */
export const createConnection: Answer<'intake.connection.create.v1', Parts> = async (
  { name, fields: own, url },
  parts,
) => {
  const preset = own.preset === undefined ? undefined : presetOf(own.preset);
  const fields = { auth_method: 'hmac' as const, ...preset?.settings, ...own };
  const signed_url = fields.signed?.includes('{url}') ? (own.signed_url ?? url) : own.signed_url;
  const { router, clock, sealer, connections } = parts;
  if (reservedSenders.has(name) || router.adapterFor(name))
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
  const { document, secret } = withFields(blank, { ...fields, ...(signed_url && { signed_url }) }, sealer, clock.now());
  if (!(await connections.insert(document)))
    throw invalidParameters([{ path: 'name', message: 'is the name of another connection' }]);
  if (fields.paused !== undefined) await setPaused(parts, endpointName(name), fields.paused);
  return { connection: await getConnection(parts, name), secret };
};

export const changeConnection: Answer<'intake.connection.change.v1', Parts> = async ({ name, fields }, parts) => {
  const { preset: _preset, ...settings } = fields;
  let secret: string | null = null;
  const now = parts.clock.now();
  await parts.connections.change(name, new Date(now).toISOString(), (before) => {
    const changed = withFields(before, settings, parts.sealer, now);
    ({ secret } = changed);
    return changed.document;
  });
  const { paused } = fields;
  const held = paused === undefined ? {} : { released: await setPaused(parts, endpointName(name), paused) };
  return { connection: await getConnection(parts, name), secret, ...held };
};

/** Rejects with 409 `svc_connection_holds_events` when events of it are held and `held` says nothing. */
export const deleteConnection: Answer<'intake.connection.delete.v1', Parts> = async (
  { name, held, by = someone },
  parts,
) => {
  const endpoint = endpointName(name);
  await parts.connections.existing(name);
  const end = { deleted: true as const, ...(await endHeld(parts, { endpoint, name, held, by })) };
  await parts.connections.remove(name);
  await parts.endpoints.remove(endpoint);
  if (parts.connections.all().length > 0) return end;
  const state = parts.router.adapterFor('generic')?.status?.(parts.clock.now());
  return { ...end, notice: state?.active && state.permissive ? lastOpens : lastCloses };
};

const lastCloses =
  'It was the last one; /webhooks/generic stays closed, unless GENERIC_REQUIRE_CONNECTION=false opens it on purpose.';
const lastOpens =
  'It was the last one, and GENERIC_REQUIRE_CONNECTION=false: anybody who reaches this port can move orders through generic webhooks now.';

/** The document with these fields, and the secret where one was made here, to be shown once. */
function withFields(before: ConnectionDocument, fields: Fields, sealer: Sealer, now: number) {
  const { secret: _secret, public_key: _publicKey, paused: _paused, paths, ...settings } = fields;
  const { auth_method: method = before.auth_method } = fields;
  const header = (fields.hmac_header ?? before.hmac_header).toLowerCase();
  if (otherHeaders.has(header))
    throw invalidParameters([{ path: 'hmac_header', message: 'is a header that cannot hold a signature' }]);
  const all = { ...before, ...withoutEmpty(settings) };
  checkSigning({ ...all, auth_method: method });
  const form = connectionSecrets(method, all.secret_encoding);
  const given = givenSecret(fields, form, method);
  const hasOtherMethod = method !== before.auth_method;
  const older = hasOtherMethod ? [] : before.secrets;
  // Of a sender that makes the secret itself it is missing until somebody pastes it.
  const preset = presets.get(all.preset ?? '');
  const isTheirs = preset?.secret_from === 'sender' && preset.settings?.auth_method === method;
  const needsNew = method !== 'none' && (given !== undefined || (older.length === 0 && !isTheirs));
  const value = needsNew ? (given ?? form.make()) : undefined;
  const made = value === undefined ? undefined : storedSecret(sealer, ownerOf('connection', before._id), value, now);
  const document = {
    ...all,
    ...(paths && { paths: paths as FieldPaths }),
    auth_method: method,
    hmac_header: header,
    secrets: made ? withSecret(older, made, now, now) : older,
  };
  return { document, secret: given === undefined ? (value ?? null) : null };
}

/** Throws a violation where a signed part has no place. */
function checkSigning({ auth_method, ...signing }: ConnectionDocument): void {
  const refuse = (path: string, message: string) => invalidParameters([{ path, message }]);
  const { signed = '{body}', timestamp_header, timestamp_part, id_header, signature_part, signed_url } = signing;
  if (auth_method !== 'hmac') return;
  if (signed.includes('{timestamp}') && timestamp_header === undefined && timestamp_part === undefined)
    throw refuse('timestamp_header', 'must name the header of the time that is signed');
  if (timestamp_part !== undefined && signature_part === undefined)
    throw refuse('signature_part', 'must name the part of the header that holds the signature');
  if (signed.includes('{id}') && id_header === undefined)
    throw refuse('id_header', 'must name the header of the id that is signed');
  if (signed.includes('{url}') && signed_url === undefined)
    throw refuse('signed_url', 'must be the address that the sender was given');
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
