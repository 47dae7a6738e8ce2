import table from './access.json';
import { type EventType, events, type RequestType, requests } from './messages';

/** The first word of what each service publishes and answers; the edge does neither. */
const domains = {
  'api-gateway': null,
  'gateway-intake': 'intake',
  rules: 'rules',
  evaluation: 'evaluation',
  audit: 'audit',
  'pro-debug': 'debug',
  shop: 'shop',
} as const;
export type ServiceName = keyof typeof domains;
export const serviceNames = Object.keys(domains) as ServiceName[];

type Uses = { readonly requests: readonly RequestType[]; readonly subscribes: readonly EventType[] };

/** What services ask of each other alone. */
const internal: ReadonlySet<string> = new Set(table.internal);

/** What each service asks of others, and which events it hears. access.test.ts compares it with the code of the services. */
const uses: Readonly<Record<ServiceName, Uses>> = {
  ...(table.uses as Record<Exclude<ServiceName, 'api-gateway'>, Uses>),
  'api-gateway': {
    requests: (Object.keys(requests) as RequestType[]).filter((type) => !internal.has(type)).sort(),
    subscribes: [],
  },
};

type Access = Uses & { readonly publishes: readonly EventType[]; readonly answers: readonly RequestType[] };

/** Everything a service does on the bus. NATS lets it do nothing else (`natsPermissions` of shared/bus). */
export function accessOf(service: ServiceName): Access {
  const owned = (type: string): boolean => type.split('.')[0] === domains[service];
  return {
    ...uses[service],
    publishes: (Object.keys(events) as EventType[]).filter(owned),
    answers: (Object.keys(requests) as RequestType[]).filter(owned),
  };
}

export const isServiceName = (name: string): name is ServiceName => Object.hasOwn(domains, name);
