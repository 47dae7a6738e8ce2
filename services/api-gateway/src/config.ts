import {
  byteSize,
  type ConfigOf,
  defineConfig,
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

const smallestRoom = 4 * 1024 * 1024;
const shortestApplicationPassword = 16;

/** decisions.md section 10: what the HTTP edge reads. */
export const apiGatewayConfiguration = defineConfig({
  host: {
    env: 'HOST',
    schema: z.string().max(255).default('127.0.0.1'),
    description: 'Public address to listen on',
    example: '0.0.0.0',
  },
  port: {
    env: 'PORT',
    schema: portNumber.default(8080),
    description: 'Public port; `0` = any free port, printed',
    example: '8080',
  },
  basePath: {
    env: 'BASE_PATH',
    schema: z
      .string()
      .regex(/^(\/[A-Za-z0-9._~-]+)*\/?$/, 'must be a path of plain segments that starts with /')
      .transform((path) => path.replace(/\/$/, ''))
      .default(''),
    description: 'Prefix of both base addresses, `/v1` and `/pro/v1`',
    example: '/automation',
    defaultText: 'empty',
  },
  publicUrl: {
    env: 'PUBLIC_URL',
    schema: urlOf('http', 'https')
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
    description: 'Address at which people open the console, with `BASE_PATH`: links in notifications begin with it',
    example: 'https://automation.shop.example',
    defaultText: '`HOST` and `PORT`',
  },
  adminUser: {
    env: 'ADMIN_USER',
    schema: userNameSchema.default('admin'),
    description: 'Name of the administrator that the first start makes',
    example: 'admin',
  },
  adminPassword: {
    env: 'ADMIN_PASSWORD',
    schema: passwordSchema.optional(),
    description: 'Password of that administrator, read at the first start only',
    example: 'a-long-sentence-that-you-remember',
    secret: true,
    defaultText: 'embedded: generated in `DATA_DIR`; distributed: required at the first start',
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
    description: 'An application password for that administrator, for provisioning by script',
    example: 'aB3d EfG7 hIjK 9mNo pQr5 tUvW',
    secret: true,
    defaultText: 'none',
  },
  ...secretKeyConfiguration,
  ...siteConfiguration,
  licenceKey: {
    env: 'LICENCE_KEY',
    schema: z.string().optional(),
    description:
      'The licence, which decides the edition: a signed token of the vendor, `demo` for the demonstration (extended edition), or `none` for the default edition; one that is not valid or has expired is the default edition, and `GET /pro/v1/licence` says why',
    example: 'demo',
    secret: true,
    defaultText: '`demo` embedded, none distributed',
  },
  licenceKeys: {
    env: 'LICENCE_PUBLIC_KEYS',
    schema: keySetSchema.optional(),
    description:
      'The public keys of the vendor that check `LICENCE_KEY`, as a JSON Web Key Set; usually `LICENCE_PUBLIC_KEYS_FILE` names the file with them',
    example: '{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"2026","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}',
    defaultText: '`services/api-gateway/assets/licence-keys.json` of the image; empty in the source tree',
  },
  bytesInFlight: {
    env: 'INTAKE_BYTES_IN_FLIGHT',
    schema: byteSize.refine((bytes) => bytes >= smallestRoom, 'must be at least 4MiB').default(32 * 1024 * 1024),
    description:
      'Memory that all request bodies together may hold; past it webhooks are answered `success: false` and other requests 503',
    example: '64MiB',
    defaultText: '`32MiB`',
  },
  maxConnections: {
    env: 'MAX_CONNECTIONS',
    schema: wholeNumber(10, 100_000).default(2_000),
    description: 'Connections to the public port that may be open at the same time; further ones are closed at once',
    example: '5000',
  },
  corsOrigins: {
    env: 'CORS_ORIGINS',
    schema: words
      .refine(
        (origins) => origins.every((origin) => /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(origin)),
        'must be origins in lower case, scheme and host without a path, separated by white space',
      )
      .default([]),
    description: 'Web sites whose pages may call this interface with an application password or a token; empty = none',
    example: 'https://admin.example.com https://reports.example.com',
    defaultText: 'empty',
  },
  jwtIssuer: {
    env: 'JWT_ISSUER',
    schema: z.string().max(500).optional(),
    description:
      'Another issuer whose tokens the extended routes take: the `iss` of its tokens, whose `sub` is the name of a user here; wants `JWT_JWKS_FILE`',
    example: 'https://login.example.com',
  },
  jwtAudience: {
    env: 'JWT_AUDIENCE',
    schema: z.string().min(1).max(500).default('order-automation'),
    description: 'The `aud` that tokens of `JWT_ISSUER` must have',
    example: 'order-automation',
  },
  jwtKeys: {
    env: 'JWT_JWKS',
    schema: keySetSchema.optional(),
    description:
      'The public keys of `JWT_ISSUER` as a JSON Web Key Set; usually `JWT_JWKS_FILE` names the file with them',
    example: '{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"2026","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}',
    defaultText: 'none',
  },
  trustedProxies: {
    env: 'TRUST_PROXY',
    schema: wholeNumber(0, 10).default(0),
    description:
      'How many reverse proxies stand in front and set `X-Forwarded-For` and `X-Forwarded-Proto`; `0` = none, these headers are ignored',
    example: '1',
  },
  ...tracingConfiguration,
});

export type ApiGatewayConfig = ConfigOf<typeof apiGatewayConfiguration>;
