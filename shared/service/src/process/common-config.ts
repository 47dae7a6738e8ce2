import { awaitingPayment } from '@order-automation/contracts';
import { z } from 'zod';
import { type ConfigOf, describedConfig, hidden } from './config';
import {
  base64Keys,
  byteSize,
  duration,
  hostList,
  portNumber,
  statusList,
  timeZoneName,
  urlOf,
  words,
} from './config-schemas';
import texts from './variables.json';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What every process reads, however it is composed. */
export const commonConfiguration = describedConfig(texts, {
  opsHost: z.string().max(255).default('127.0.0.1'),
  opsPort: portNumber.default(9464),
  logLevel: {
    schema: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
    description: `Least level that is logged: ${logLevels.join(', ')}`,
  },
});

/** What a process of the distributed mode reads besides. */
export const distributedConfiguration = describedConfig(texts, {
  natsUrl: hidden(words.pipe(z.array(urlOf('nats', 'tls')))),
  natsProfile: z
    .enum(['development', 'production'], { error: 'must be development or production' })
    .default('development'),
  natsMonitor: urlOf('http', 'https').optional(),
  natsStreamBytes: byteSize.default(512 * 1024 * 1024),
  namespace: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/, 'must be at most 31 lower-case letters, digits and _, and begin with a letter')
    .default('order_automation'),
  mongodbUri: hidden(urlOf('mongodb', 'mongodb+srv')),
});

/** For services that keep secrets of others. */
export const secretKeyConfiguration = describedConfig(texts, { secretKey: hidden(base64Keys) });

/** For services that call addresses which an administrator or a rule names. */
export const outboundConfiguration = describedConfig(texts, {
  outboundAllow: hostList.default({ hosts: [], subnets: [] }),
});

/** For services that read or write what clocks in the shop show. */
export const siteConfiguration = describedConfig(texts, {
  timeZone: timeZoneName.default('UTC'),
  awaitingPayment: statusList.default([...awaitingPayment]),
});

/** For services that say where they are. */
export const publicUrlConfiguration = describedConfig(texts, {
  publicUrl: urlOf('http', 'https')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
});

/** For services that keep what the log tells of. */
export const retentionConfiguration = describedConfig(texts, { retention: duration.default(90 * 86_400_000) });

/** For services that take components or gateways from modules of the operator. */
export const extensionsConfiguration = describedConfig(texts, { extensions: words.default([]) });

export type CommonConfig = ConfigOf<typeof commonConfiguration>;
export type DistributedConfig = ConfigOf<typeof distributedConfiguration>;
