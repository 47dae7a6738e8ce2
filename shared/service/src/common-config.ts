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
