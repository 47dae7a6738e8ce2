import {
  byteSize,
  type ConfigOf,
  defineConfig,
  describedConfig,
  hidden,
  portNumber,
  publicUrlConfiguration,
  secretKeyConfiguration,
  siteConfiguration,
  wholeNumber,
  words,
} from '@order-automation/service';
import { z } from 'zod';
import { normaliseApplicationPassword } from './auth/application-password';
import { keySetSchema } from './auth/foreign-issuer';
import { userNameSchema } from './auth/identity';
import { passwordSchema } from './auth/password';
import texts from './variables.json';

const smallestRoom = 4 * 1024 * 1024;
const shortestApplicationPassword = 16;

/** decisions.md section 10: what the HTTP edge reads. */
export const apiGatewayConfiguration = defineConfig({
  ...describedConfig(texts, {
    host: z.string().max(255).default('127.0.0.1'),
    port: portNumber.default(8080),
    basePath: z
      .string()
      .regex(/^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)*\/?$/, 'must be a path of plain segments that starts with /')
      .transform((path) => path.replace(/\/$/, ''))
      .default(''),
    adminUser: userNameSchema.default('admin'),
    adminPassword: hidden(passwordSchema.optional()),
    adminApplicationPassword: hidden(
      z
        .string()
        .max(200, 'must have at most 200 characters')
        .transform(normaliseApplicationPassword)
        .refine(
          (password) => password.length >= shortestApplicationPassword,
          `must have at least ${shortestApplicationPassword} characters, spaces not counted`,
        )
        .optional(),
    ),
  }),
  ...publicUrlConfiguration,
  ...secretKeyConfiguration,
  ...siteConfiguration,
  ...describedConfig(texts, {
    licenceKey: hidden(z.string().optional()),
    licenceKeys: keySetSchema.optional(),
    bytesInFlight: byteSize.refine((bytes) => bytes >= smallestRoom, 'must be at least 4MiB').default(32 * 1024 * 1024),
    maxConnections: wholeNumber(10, 100_000).default(2_000),
    corsOrigins: words
      .refine(
        (origins) => origins.every((origin) => /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(origin)),
        'must be origins in lower case, scheme and host without a path, separated by white space',
      )
      .default([]),
    jwtIssuer: z.string().max(500).optional(),
    jwtAudience: z.string().min(1).max(500).default('order-automation'),
    jwtKeys: keySetSchema.optional(),
    trustedProxies: wholeNumber(0, 10).default(0),
  }),
});

export type ApiGatewayConfig = ConfigOf<typeof apiGatewayConfiguration>;
