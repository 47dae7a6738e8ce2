import { type Answer, invalidParameters, type RequestOutput, ServiceError } from '@order-automation/contracts';
import type { GatewaySettings } from '../../connections/endpoints';
import { displayNameOf, type GatewayAdapter, genericTypeOf } from '../../gateways/adapter';
import { walletGateway } from '../../gateways/wallet/adapter';
import { certificateProblem, walletCertificate } from '../../gateways/wallet/certificates';
import { sourceRecordOf } from '../../sources/record';
import type { Parts } from '../parts';
import { warningsOf } from './end-warnings';
import { setPaused } from './pausing';
import { countedOf, listGatewaySecrets, referenceFields } from './records';

type GatewayRecord = RequestOutput<'intake.gateway.list.v1'>['gateways'][number];
type AdapterState = RequestOutput<'intake.status.v1'>['adapters'][number];

export async function listGateways(parts: Parts): Promise<GatewayRecord[]> {
  const { router, endpoints, gatewaySecrets } = parts;
  const counted = await endpoints.all();
  const records = router.adapters().map(async (adapter): Promise<GatewayRecord> => {
    const { gateway, description, version, capabilities } = adapter;
    const { status, reason, permissive } = stateOf(adapter, endpoints, parts.clock.now());
    const source = await sourceRecordOf(parts, gateway);
    return {
      name: gateway,
      display_name: displayNameOf(adapter),
      description: description ?? displayNameOf(adapter),
      status,
      status_reason: reason,
      event_types: eventTypesOf(adapter),
      supports_testing: adapter.sample !== undefined,
      capabilities: [...(capabilities ?? [])],
      version: version ?? '1.0.0',
      paused: endpoints.paused(gateway),
      permissive,
      ...countedOf(counted.get(gateway)),
      ...(!adapter.reading && {
        ...referenceFields(parts.readingOf(gateway), counted.get(gateway)),
        set_by_environment: setByEnvironment(parts, gateway),
      }),
      ...(gateway === walletGateway && walletFields(parts)),
      ...(gatewaySecrets.has(gateway) && { secrets: await listGatewaySecrets(parts, gateway) }),
      warnings: warningsOf(gateway, parts),
      ...(source && { source }),
    };
  });
  return Promise.all(records);
}

/** The same for everybody: whether each works, and never why a webhook was refused. */
export async function adapterStates({ router, endpoints, clock }: Parts): Promise<AdapterState[]> {
  const counted = await endpoints.all();
  return router.adapters().map((adapter) => {
    const { last_event_at, last_refusal } = countedOf(counted.get(adapter.gateway));
    return {
      gateway: adapter.gateway,
      display_name: displayNameOf(adapter),
      ...stateOf(adapter, endpoints, clock.now()),
      last_event_at,
      last_refusal_at: last_refusal?.at ?? null,
    };
  });
}

function stateOf(
  adapter: GatewayAdapter,
  endpoints: Parts['endpoints'],
  now: number,
): Pick<AdapterState, 'status' | 'reason' | 'permissive'> {
  const state = adapter.status?.(now) ?? { active: true };
  if (!state.active) return { status: 'inactive', reason: state.reason, permissive: false };
  const permissive = state.permissive ?? false;
  return { status: endpoints.paused(adapter.gateway) ? 'paused' : 'active', reason: state.warning ?? null, permissive };
}

function eventTypesOf(adapter: GatewayAdapter): GatewayRecord['event_types'] {
  return adapter.getSupportedEventTypes().map((id) => {
    const { label = id, generic = genericTypeOf(adapter, id) } = adapter.eventTypes?.[id] ?? {};
    return { id, label, generic_type: generic };
  });
}

export const pauseGateway: Answer<'intake.gateway.pause.v1', Parts> = async ({ gateway, paused }, parts) => {
  if (!parts.router.adapterFor(gateway)) throw unknownGateway(gateway);
  return { gateway, paused, released: await setPaused(parts, gateway, paused) };
};

function walletFields({ wallet }: Pick<Parts, 'wallet'>) {
  const { webhook_id = '', receiver = '', verify_url = '' } = wallet();
  return { webhook_id, receiver, verify_url };
}

const setByEnvironment = ({ settingsOfEnvironment }: Pick<Parts, 'settingsOfEnvironment'>, gateway: string) =>
  Object.keys(settingsOfEnvironment[gateway] ?? {}) as (keyof GatewaySettings)[];

/** How references to orders are read that the gateway's own address receives, and how the wallet proves its webhooks. */
export const setReference: Answer<'intake.gateway.reference.v1', Parts> = async (
  { gateway, by: _by, ...settings },
  parts,
) => {
  const adapter = parts.router.adapterFor(gateway);
  if (!adapter) throw unknownGateway(gateway);
  if (adapter.reading)
    throw invalidParameters([
      { path: 'order_reference', message: 'is not set: the shop names its orders by their ids' },
    ]);
  const foreign =
    gateway === walletGateway ? [] : Object.keys(settings).filter((field) => field in walletFields(parts));
  if (foreign.length > 0)
    throw invalidParameters(foreign.map((path) => ({ path, message: 'is a setting of the wallet alone' })));
  const fixed = setByEnvironment(parts, gateway).filter((field) => settings[field] !== undefined);
  if (fixed.length > 0)
    throw new ServiceError(
      409,
      'svc_set_by_environment',
      `${fixed.join(' and ')} of ${gateway} is set by an environment variable of the service, which wins: change it there.`,
      { gateway, fields: fixed },
    );
  await parts.endpoints.setSettings(gateway, settings as GatewaySettings);
  const { order_reference, order_prefix } = parts.readingOf(gateway);
  return { gateway, order_reference, order_prefix: order_prefix ?? '' };
};

export const unknownGateway = (gateway: string): ServiceError =>
  new ServiceError(404, 'svc_gateway_not_found', 'There is no gateway of this name.', { gateway });

type CertificateRecord = RequestOutput<'intake.certificate.list.v1'>['certificates'][number];

export function listCertificates({ certificates, trust, clock }: Parts): CertificateRecord[] {
  return certificates.all().map((certificate) => {
    const { id, leaf, source } = certificate;
    return {
      id,
      subject: leaf.subject.replaceAll('\n', ', '),
      issuer: leaf.issuer.replaceAll('\n', ', '),
      valid_from: new Date(leaf.validFrom).toISOString(),
      valid_to: new Date(leaf.validTo).toISOString(),
      source,
      problem: certificateProblem(certificate, trust(), clock.now()) ?? null,
    };
  });
}

/** Loads a certificate; one that proves nothing now is loaded too, and the answer says why. */
export const addCertificate: Answer<'intake.certificate.add.v1', Parts> = async ({ id, pem }, parts) => {
  if (!/^[A-Za-z0-9._-]{1,200}$/.test(id))
    throw invalidParameters([{ path: 'id', message: 'must be the id under which the wallet names the certificate' }]);
  try {
    walletCertificate(id, pem);
  } catch {
    const message = 'must be a certificate in PEM form, with its intermediates behind it';
    throw invalidParameters([{ path: 'pem', message }]);
  }
  const added = await parts.certificates.add(id, pem, parts.clock.now());
  if (!added) throw invalidParameters([{ path: 'id', message: 'is the id of another certificate; delete that first' }]);
  const certificate = listCertificates(parts).find((one) => one.id === id);
  if (!certificate) throw unknownCertificate(id);
  return { certificate };
};

export const deleteCertificate: Answer<'intake.certificate.delete.v1', Parts> = async ({ id }, { certificates }) => {
  if (!(await certificates.remove(id))) throw unknownCertificate(id);
  return { deleted: true };
};

const unknownCertificate = (id: string): ServiceError =>
  new ServiceError(404, 'svc_certificate_not_found', 'No certificate of this id was loaded.', { id });
