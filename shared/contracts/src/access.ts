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

/** What each service asks of others, and which events it hears. access.test.ts compares it with the code of the services. */
const uses: Readonly<Record<ServiceName, Uses>> = {
  'api-gateway': {
    requests: [
      'audit.entry.delete.v1',
      'audit.entry.list.v1',
      'audit.entry.render.v1',
      'audit.entry.scan.v1',
      'audit.filter-options.get.v1',
      'audit.head.list.v1',
      'audit.log.verify.v1',
      'audit.person.erase.v1',
      'audit.process.get.v1',
      'audit.record.v2',
      'audit.retention.run.v1',
      'audit.stats.get.v1',
      'debug.backtest.cancel.v1',
      'debug.backtest.get.v1',
      'debug.backtest.list.v1',
      'debug.backtest.start.v1',
      'debug.order.explain.v1',
      'debug.order.search.v1',
      'debug.order.simulate.v1',
      'debug.order.why.v1',
      'debug.rule.test.v1',
      'evaluation.deliveries.resend.v1',
      'evaluation.delivery.get.v1',
      'evaluation.delivery.list.v1',
      'evaluation.delivery.resend.v1',
      'evaluation.message.send.v1',
      'evaluation.resend-job.cancel.v1',
      'evaluation.resend-job.get.v1',
      'evaluation.resend-job.list.v1',
      'evaluation.secret.delete.v1',
      'evaluation.secret.list.v1',
      'evaluation.secret.put.v1',
      'intake.certificate.add.v1',
      'intake.certificate.delete.v1',
      'intake.certificate.list.v1',
      'intake.connection.change.v1',
      'intake.connection.create.v1',
      'intake.connection.delete.v1',
      'intake.connection.get.v1',
      'intake.connection.list.v1',
      'intake.connection.rotate.v1',
      'intake.dead-letter.list.v1',
      'intake.event.get.v1',
      'intake.event.list.v1',
      'intake.event.replay.v1',
      'intake.events.replay.v1',
      'intake.gateway.list.v1',
      'intake.gateway.pause.v1',
      'intake.import.end.v1',
      'intake.import.v1',
      'intake.receive.v1',
      'intake.replay-job.cancel.v1',
      'intake.replay-job.get.v1',
      'intake.replay-job.list.v1',
      'intake.secret.add.v1',
      'intake.secret.list.v1',
      'intake.secret.remove.v1',
      'intake.status.v1',
      'intake.test.send.v1',
      'rules.component.list.v1',
      'rules.conflict.list.v1',
      'rules.export.v1',
      'rules.import.v1',
      'rules.reorder.v1',
      'rules.rule.create.v1',
      'rules.rule.delete.v1',
      'rules.rule.diff.v1',
      'rules.rule.duplicate.v1',
      'rules.rule.get.v1',
      'rules.rule.list.v1',
      'rules.rule.restore.v1',
      'rules.rule.save.v1',
      'rules.rule.versions.v1',
      'rules.template.list.v1',
      'shop.import.get.v1',
      'shop.import.v2',
      'shop.order.list.v1',
      'shop.order.save.v1',
      'shop.order.view.v1',
      'shop.record.delete.v1',
      'shop.record.get.v1',
      'shop.record.list.v1',
      'shop.record.put.v1',
      'shop.refund.create.v1',
      'shop.refund.list.v1',
      'shop.search.v1',
    ],
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
    requests: ['audit.record.v2', 'debug.rule.tested.v1', 'evaluation.sending.check.v1', 'shop.record.known.v1'],
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
  shop: { requests: ['audit.record.v2'], subscribes: ['evaluation.events-done.v1'] },
};

export type Access = Uses & { readonly publishes: readonly EventType[]; readonly answers: readonly RequestType[] };

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
