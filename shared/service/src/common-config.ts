import { z } from 'zod';
import { type ConfigOf, defineConfig } from './config';
import { portNumber, urlOf, words } from './config-schemas';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What every process reads, however it is composed. */
export const commonConfiguration = defineConfig({
  host: {
    env: 'HOST',
    schema: z.string().max(255).default('127.0.0.1'),
    description: 'Address to listen on, for the public port and the ops port',
    example: '0.0.0.0',
  },
  opsPort: {
    env: 'OPS_PORT',
    schema: portNumber.default(9090),
    description:
      'Port of `/metrics`, `/healthz` and `/readyz`, which are never on the public port; `0` = any free port, printed',
    example: '9090',
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
    schema: words.pipe(z.array(urlOf('nats', 'tls', 'ws', 'wss'))),
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

export type CommonConfig = ConfigOf<typeof commonConfiguration>;
export type DistributedConfig = ConfigOf<typeof distributedConfiguration>;
