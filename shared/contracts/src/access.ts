import { type EventType, events, type RequestType, requests } from './messages';

export const serviceNames = [
  'api-gateway',
  'gateway-intake',
  'rules',
  'evaluation',
  'audit',
  'pro-debug',
  'shop',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The service that publishes and answers what begins with this word. */
const owners: Readonly<Record<string, ServiceName>> = {
  intake: 'gateway-intake',
  rules: 'rules',
  evaluation: 'evaluation',
  audit: 'audit',
  debug: 'pro-debug',
  shop: 'shop',
};

type Uses = { readonly requests: readonly RequestType[]; readonly subscribes: readonly EventType[] };

/** What services ask of each other alone. */
const internal: ReadonlySet<string> = new Set<RequestType>([
  'debug.rule.tested.v1',
  'evaluation.event.rules.v1',
  'evaluation.event.simulate.v1',
  'evaluation.events.judge.v1',
  'evaluation.facts.forget.v1',
  'evaluation.person.erase.v1',
  'evaluation.sending.check.v1',
  'intake.event-type.check.v1',
  'intake.event.draft.v1',
  'intake.person.erase.v1',
  'rules.active-versions.v1',
  'rules.disabled-listeners.v1',
  'rules.records.v1',
  'rules.version.get.v1',
  'shop.customer.facts.v1',
  'shop.order.apply.v2',
  'shop.order.get.v1',
  'shop.order.preview.v1',
  'shop.order.resolve.v1',
  'shop.person.erase.v1',
  'shop.record.known.v1',
]);

/** What each service asks of others, and which events it hears. access.test.ts compares it with the code of the services. */
const uses: Readonly<Record<ServiceName, Uses>> = {
  'api-gateway': {
    requests: (Object.keys(requests) as RequestType[]).filter((type) => !internal.has(type)).sort(),
    subscribes: [],
  },
  'gateway-intake': {
    requests: [
      'audit.process.get.v1',
      'audit.record.v2',
      'evaluation.event.rules.v1',
      'rules.disabled-listeners.v1',
      'shop.order.get.v1',
      'shop.order.list.v1',
    ],
    subscribes: ['evaluation.events-done.v1', 'evaluation.events-waiting.v1', 'intake.settings-changed.v1'],
  },
  rules: {
    requests: [
      'audit.record.v2',
      'debug.rule.tested.v1',
      'evaluation.sending.check.v1',
      'intake.event-type.check.v1',
      'shop.record.known.v1',
    ],
    subscribes: ['evaluation.events-done.v1'],
  },
  evaluation: {
    requests: [
      'audit.record.v2',
      'rules.active-versions.v1',
      'rules.disabled-listeners.v1',
      'rules.records.v1',
      'rules.version.get.v1',
      'shop.customer.facts.v1',
      'shop.order.apply.v2',
      'shop.order.get.v1',
      'shop.order.list.v1',
      'shop.order.preview.v1',
      'shop.order.resolve.v1',
    ],
    subscribes: [
      'evaluation.event-postponed.v1',
      'intake.event-received.v1',
      'rules.changed.v1',
      'shop.order-changed.v1',
      'shop.order-refunded.v1',
    ],
  },
  audit: {
    requests: [
      'evaluation.facts.forget.v1',
      'evaluation.person.erase.v1',
      'intake.person.erase.v1',
      'shop.person.erase.v1',
    ],
    subscribes: [],
  },
  'pro-debug': {
    requests: [
      'audit.entry.list.v1',
      'audit.process.get.v1',
      'evaluation.delivery.list.v1',
      'evaluation.event.simulate.v1',
      'evaluation.events.judge.v1',
      'intake.event.draft.v1',
      'intake.event.list.v1',
      'intake.secret.list.v1',
      'rules.active-versions.v1',
      'rules.records.v1',
      'rules.rule.list.v1',
      'rules.rule.versions.v1',
      'rules.version.get.v1',
      'shop.customer.facts.v1',
      'shop.order.get.v1',
      'shop.order.list.v1',
    ],
    subscribes: [],
  },
  shop: {
    requests: ['audit.record.v2', 'intake.secret.add.v1', 'intake.secret.remove.v1'],
    subscribes: ['evaluation.events-done.v1'],
  },
};

type Access = Uses & { readonly publishes: readonly EventType[]; readonly answers: readonly RequestType[] };

/** Everything a service does on the bus. NATS lets it do nothing else (`natsPermissions` of shared/bus). */
export function accessOf(service: ServiceName): Access {
  const owned = (type: string): boolean => owners[type.split('.')[0] ?? ''] === service;
  return {
    ...uses[service],
    publishes: (Object.keys(events) as EventType[]).filter(owned),
    answers: (Object.keys(requests) as RequestType[]).filter(owned),
  };
}

export function isServiceName(name: string): name is ServiceName {
  return (serviceNames as readonly string[]).includes(name);
}
