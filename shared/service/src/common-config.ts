import { awaitingPayment } from '@order-automation/contracts';
import { z } from 'zod';
import { type ConfigOf, defineConfig } from './config';
import {
  base64Keys,
  byteSize,
  duration,
  headerList,
  hostList,
  portNumber,
  ratio,
  statusList,
  timeZoneName,
  urlOf,
  words,
} from './config-schemas';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What every process reads, however it is composed. */
export const commonConfiguration = defineConfig({
  opsHost: {
    env: 'OPS_HOST',
    schema: z.string().max(255).default('127.0.0.1'),
    description: 'Address of the ops port: `/metrics`, `/healthz` and `/readyz`, which are never on the public port',
    example: '0.0.0.0',
  },
  opsPort: {
    env: 'OPS_PORT',
    schema: portNumber.default(9464),
    description: 'Ops port; `0` = any free port, printed',
    example: '9464',
  },
  logLevel: {
    env: 'LOG_LEVEL',
    schema: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
    description: `Least level that is logged: ${logLevels.join(', ')}`,
    example: 'debug',
  },
});

/** What a process of the distributed mode reads besides. */
export const distributedConfiguration = defineConfig({
  natsUrl: {
    env: 'NATS_URL',
    schema: words.pipe(z.array(urlOf('nats', 'tls'))),
    description: 'Distributed: NATS servers, separated by white space',
    example: 'nats://127.0.0.1:4222',
    secret: true,
    defaultText: 'none',
  },
  natsProfile: {
    env: 'NATS_PROFILE',
    schema: z
      .enum(['development', 'production'], { error: 'must be development or production' })
      .default('development'),
    description:
      'Distributed: `production` refuses a NATS that cannot keep what it was given (replicas, flushing), `development` warns',
    example: 'production',
  },
  natsMonitor: {
    env: 'NATS_MONITOR',
    schema: urlOf('http', 'https').optional(),
    description: 'Distributed: the monitoring address of NATS, where it says whether it flushes each write',
    example: 'http://127.0.0.1:8222',
  },
  natsStreamBytes: {
    env: 'NATS_STREAM_BYTES',
    schema: byteSize.default(512 * 1024 * 1024),
    description:
      'Distributed: size of each of the four streams of NATS, past which the oldest messages are discarded; what of them was not handled is published again',
    example: '2GiB',
    defaultText: '512MiB',
  },
  namespace: {
    env: 'NAMESPACE',
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,30}$/, 'must be at most 31 lower-case letters, digits and _, and begin with a letter')
      .default('order_automation'),
    description:
      'Distributed: in front of the names of streams and databases, keeps installations on the same servers apart',
    example: 'shop_berlin',
  },
  mongodbUri: {
    env: 'MONGODB_URI',
    schema: urlOf('mongodb', 'mongodb+srv'),
    description: 'Distributed: MongoDB, each service uses a database of its own there',
    example: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
    secret: true,
    defaultText: 'none',
  },
});

/** For services that keep secrets of others. */
export const secretKeyConfiguration = defineConfig({
  secretKey: {
    env: 'SECRET_KEY',
    schema: base64Keys,
    description:
      'Base64, 32 bytes; encrypts and keys stored secrets; a list separated by white space, newest first, for rotation',
    example: 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
    secret: true,
    defaultText: 'embedded: generated in `DATA_DIR`; distributed: required',
  },
});

/** For services that call addresses which an administrator or a rule names. */
export const outboundConfiguration = defineConfig({
  outboundAllow: {
    env: 'OUTBOUND_ALLOW',
    schema: hostList.default({ hosts: [], subnets: [] }),
    description:
      'Hosts, addresses and subnets that outbound calls may reach although they are private, by http too; separated by commas',
    example: 'erp.internal, 10.1.0.0/16',
    defaultText: 'none: public addresses by https alone',
  },
});

/** For services that read or write what clocks in the shop show. */
export const siteConfiguration = defineConfig({
  timeZone: {
    env: 'SHOP_TIME_ZONE',
    schema: timeZoneName.default('UTC'),
    description:
      'IANA time zone of the shop: for `date_created` and the like of orders, for the condition `time_window` and the trigger `schedule` where they name none',
    example: 'Europe/Berlin',
  },
  awaitingPayment: {
    env: 'ORDER_AWAITING_PAYMENT',
    schema: statusList.default([...awaitingPayment]),
    description:
      'Statuses in which an order awaits its payment, separated by commas: a payment that completes moves orders in these, and in `processing`',
    example: 'pending, on-hold, failed, checkout-draft, quote',
    defaultText: '`pending, on-hold, failed, checkout-draft`',
  },
});

/** For services that keep what the log tells of. */
export const retentionConfiguration = defineConfig({
  retention: {
    env: 'AUDIT_RETENTION',
    schema: duration.default(90 * 86_400_000),
    description:
      'How long entries of the log are kept, and outbound calls and e-mails with them; older ones are removed once an hour, and the log says so',
    example: '365d',
    defaultText: '90d',
  },
});

/** For services that take components or gateways from modules of the operator. */
export const extensionsConfiguration = defineConfig({
  extensions: {
    env: 'EXTENSIONS',
    schema: words.default([]),
    description:
      'Modules that register components and gateway adapters, separated by white space: paths or package names',
    example: './extensions/loyalty.js',
    defaultText: 'none',
  },
});

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

/** For services that a webhook passes on its way to its order: OpenTelemetry's own variables, as far as they are read (docs/operations/trace.md). */
export const tracingConfiguration = defineConfig({
  tracesExporter: {
    env: 'OTEL_TRACES_EXPORTER',
    schema: z.enum(['none', 'otlp'], { error: 'must be none or otlp' }).default('none'),
    description: '`otlp` sends a trace of each webhook to a collector of OpenTelemetry',
    example: 'otlp',
  },
  otlpEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: urlOf('http', 'https').default('http://localhost:4318'),
    description: 'The collector, which takes OTLP over HTTP in JSON below this address (`/v1/traces`)',
    example: 'https://collector.example:4318',
  },
  otlpHeaders: {
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    schema: headerList.optional(),
    description: 'Headers for the collector, `name=value` separated by commas, values percent-encoded',
    example: 'Authorization=Bearer%20token',
    secret: true,
    defaultText: 'none',
  },
  otelServiceName: {
    env: 'OTEL_SERVICE_NAME',
    schema: z.string().max(200).optional(),
    description: '`service.name` of the spans',
    example: 'shop-berlin',
    defaultText: 'embedded: `order-automation`; distributed: the name of the service',
  },
  tracesSampler: {
    env: 'OTEL_TRACES_SAMPLER',
    schema: z.enum(samplers, { error: `must be one of ${samplers.join(', ')}` }).default('parentbased_always_on'),
    description: `Which webhooks are traced: ${samplers.join(', ')}; \`parentbased_…\` does what the sender's \`traceparent\` says`,
    example: 'traceidratio',
  },
  tracesSamplerRatio: {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    schema: ratio.default(1),
    description: 'Share of the webhooks that `traceidratio` traces, from 0 to 1',
    example: '0.05',
  },
});
export type TracingConfig = ConfigOf<typeof tracingConfiguration>;

export type CommonConfig = ConfigOf<typeof commonConfiguration>;
export type DistributedConfig = ConfigOf<typeof distributedConfiguration>;
