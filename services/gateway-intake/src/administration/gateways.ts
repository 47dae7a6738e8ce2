import { type RequestInput, type RequestOutput, type SenderSecret, ServiceError } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { Endpoints } from '../connections/endpoints';
import { type ReadingSettings, shownReading } from '../connections/reading';
import { displayNameOf, type GatewayAdapter, genericTypeOf } from '../gateways/adapter';
import type { AdapterRouter } from '../gateways/router';
import { type EndParts, warningsOf } from './end-warnings';
import { type GatewaySecretParts, listGatewaySecrets } from './gateway-secrets';
import { type PausingParts, setPaused } from './pausing';
import { countedOf } from './records';

type Parts = { readonly router: AdapterRouter; readonly endpoints: Endpoints; readonly clock: Clock };
export type ReadingParts = {
  readonly readingByEnvironment: Readonly<Record<string, ReadingSettings>>;
  readonly readingOfGateway: (gateway: string) => ReadingSettings;
};
type WarningParts = Pick<EndParts, 'senders' | 'secretUses' | 'clock'>;
type GatewayRecord = RequestOutput<'intake.gateway.list.v1'>['gateways'][number];
type AdapterState = RequestOutput<'intake.status.v1'>['adapters'][number];

/** Every gateway with what it can do and how it fares, for administrators. */
export async function listGateways(
  parts: Parts & ReadingParts & GatewaySecretParts & WarningParts,
): Promise<GatewayRecord[]> {
  const { router, endpoints, gatewaySecrets } = parts;
  const counted = await endpoints.all();
  const secrets = new Map<string, SenderSecret[]>();
  for (const gateway of gatewaySecrets.gateways()) secrets.set(gateway, await listGatewaySecrets(parts, gateway));
  return router.adapters().map((adapter) => {
    const { gateway, description, version, capabilities } = adapter;
    const { status, reason, permissive } = stateOf(adapter, endpoints, parts.clock.now());
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
      ...shownReading(parts.readingOfGateway(gateway)),
      set_by_environment: fixedOf(parts, gateway),
      ...countedOf(counted.get(gateway)),
      ...(secrets.has(gateway) && { secrets: secrets.get(gateway) }),
      warnings: warningsOf(gateway, parts),
    };
  });
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
  endpoints: Endpoints,
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

type GatewaySettings = Omit<RequestInput<'intake.gateway.pause.v1'>, 'gateway' | 'by'>;

/** Rejects with 409 `svc_set_by_environment` when the environment decides one of the settings. */
export async function changeGateway(
  parts: Parts & ReadingParts & PausingParts,
  gateway: string,
  { paused, ...reading }: GatewaySettings,
): Promise<RequestOutput<'intake.gateway.pause.v1'>> {
  if (!parts.router.adapterFor(gateway)) throw unknownGateway(gateway);
  const fixed = fixedOf(parts, gateway).filter((name) => Object.hasOwn(reading, name));
  if (fixed.length > 0) {
    const message = `The environment sets ${fixed.join(' and ')} of this gateway: change it there.`;
    throw new ServiceError(409, 'svc_set_by_environment', message, { gateway });
  }
  if (Object.keys(reading).length > 0) await parts.endpoints.setReading(gateway, reading);
  const released = paused === undefined ? 0 : await setPaused(parts, gateway, paused);
  const shown = shownReading(parts.readingOfGateway(gateway));
  return { gateway, paused: parts.endpoints.paused(gateway), released, ...shown };
}

function fixedOf({ readingByEnvironment }: ReadingParts, gateway: string): string[] {
  return Object.entries(readingByEnvironment[gateway] ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
}

export function unknownGateway(gateway: string): ServiceError {
  return new ServiceError(404, 'svc_gateway_not_found', 'There is no gateway of this name.', { gateway });
}
