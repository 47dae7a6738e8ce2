import {
  byteSize,
  type ConfigOf,
  describedConfig,
  portNumber,
  secretKeyConfiguration,
  siteConfiguration,
  tracingConfiguration,
  urlOf,
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
export const apiGatewayConfiguration = describedConfig(texts, {
  host: {
    env: 'HOST',
    schema: z.string().max(255).default('127.0.0.1'),
  },
  port: {
    env: 'PORT',
    schema: portNumber.default(8080),
  },
  basePath: {
    env: 'BASE_PATH',
    schema: z
      .string()
      .regex(/^(\/[A-Za-z0-9._~-]+)*\/?$/, 'must be a path of plain segments that starts with /')
      .transform((path) => path.replace(/\/$/, ''))
      .default(''),
  },
  publicUrl: {
    env: 'PUBLIC_URL',
    schema: urlOf('http', 'https')
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
  },
  adminUser: {
    env: 'ADMIN_USER',
    schema: userNameSchema.default('admin'),
  },
  adminPassword: {
    env: 'ADMIN_PASSWORD',
    schema: passwordSchema.optional(),
    secret: true,
  },
  adminApplicationPassword: {
    env: 'ADMIN_APPLICATION_PASSWORD',
    schema: z
      .string()
      .max(200, 'must have at most 200 characters')
      .transform(normaliseApplicationPassword)
      .refine(
        (password) => password.length >= shortestApplicationPassword,
        `must have at least ${shortestApplicationPassword} characters, spaces not counted`,
      )
      .optional(),
    secret: true,
  },
  ...secretKeyConfiguration,
  ...siteConfiguration,
  licenceKey: {
    env: 'LICENCE_KEY',
    schema: z.string().optional(),
    secret: true,
  },
  licenceKeys: {
    env: 'LICENCE_PUBLIC_KEYS',
    schema: keySetSchema.optional(),
  },
  bytesInFlight: {
    env: 'INTAKE_BYTES_IN_FLIGHT',
    schema: byteSize.refine((bytes) => bytes >= smallestRoom, 'must be at least 4MiB').default(32 * 1024 * 1024),
  },
  maxConnections: {
    env: 'MAX_CONNECTIONS',
    schema: wholeNumber(10, 100_000).default(2_000),
  },
  corsOrigins: {
    env: 'CORS_ORIGINS',
    schema: words
      .refine(
        (origins) => origins.every((origin) => /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(origin)),
        'must be origins in lower case, scheme and host without a path, separated by white space',
      )
      .default([]),
  },
  jwtIssuer: {
    env: 'JWT_ISSUER',
    schema: z.string().max(500).optional(),
  },
  jwtAudience: {
    env: 'JWT_AUDIENCE',
    schema: z.string().min(1).max(500).default('order-automation'),
  },
  jwtKeys: {
    env: 'JWT_JWKS',
    schema: keySetSchema.optional(),
  },
  trustedProxies: {
    env: 'TRUST_PROXY',
    schema: wholeNumber(0, 10).default(0),
  },
  ...tracingConfiguration,
});

export type ApiGatewayConfig = ConfigOf<typeof apiGatewayConfiguration>;
