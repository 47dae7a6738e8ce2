import {
  byteSize,
  type ConfigOf,
  defineConfig,
  describedConfig,
  extensionsConfiguration,
  flag,
  hidden,
  secretKeyConfiguration,
  siteConfiguration,
  urlOf,
  words,
} from '@order-automation/service';
import { z } from 'zod';
import { shortestSecret } from './gateways/card/signature';
import type { LiveSecret } from './gateways/connection';
import texts from './variables.json';

const example = 'whsec_new… whsec_old…@2026-12-31T00:00:00Z';
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** `<secret>` or `<secret>@<ISO 8601 time with its zone>`: with a time after which it counts no more. Anything else behind an `@` is a mistake. */
const secrets: z.ZodType<readonly LiveSecret[], string> = words.transform((parts, context) =>
  parts.map((part): LiveSecret => {
    const refuse = (message: string): void =>
      void context.addIssue({ code: 'custom', message: `${message}; for example: ${example}` });
    const at = part.lastIndexOf('@');
    const value = at < 0 ? part : part.slice(0, at);
    const until = at < 0 ? undefined : part.slice(at + 1);
    const expiresAt = until === undefined ? null : instant.test(until) ? Date.parse(until) : Number.NaN;
    if (part.includes(',')) refuse('secrets are separated by white space, not by commas');
    else if (value.length < shortestSecret) refuse(`each secret must have at least ${shortestSecret} characters`);
    if (Number.isNaN(expiresAt)) refuse('the text after @ must be the time at which the secret ends, with its zone');
    return { value, expiresAt };
  }),
);

const none: readonly LiveSecret[] = [];

const orderReference = z.enum(['id', 'number', 'auto'], { error: 'must be id, number or auto' }).optional();
const orderPrefix = z
  .string()
  .regex(/^[\x21-\x7e]{1,32}$/, 'must have at most 32 characters and no white space')
  .optional();

/** decisions.md section 10. */
export const intakeConfiguration = defineConfig({
  ...secretKeyConfiguration,
  ...extensionsConfiguration,
  awaitingPayment: siteConfiguration.awaitingPayment,
  ...describedConfig(texts, {
    cardSecrets: hidden(secrets.default(none)),
    cardMode: z.enum(['live', 'any'], { error: 'must be live or any' }).default('live'),
    cardOrderReference: orderReference,
    cardOrderPrefix: orderPrefix,
    walletOrderReference: orderReference,
    walletOrderPrefix: orderPrefix,
    walletWebhookId: z
      .string()
      .regex(/^[\x21-\x7b\x7d\x7e]{1,100}$/, 'must be the id that the wallet shows for its webhook')
      .optional(),
    walletCertificates: z.string().min(1).optional(),
    walletVerifyUrl: urlOf('https', 'http').optional(),
    walletReceivers: words.default([]),
    walletTrust: z.string().min(1).optional(),
    walletSubject: z
      .string()
      .regex(/^(\*\.)?[a-z0-9.-]{3,253}$/i, 'must be a host name, or `*.` and a domain')
      .default('*.paypal.com'),
    cardApi: urlOf('https', 'http').default('https://api.stripe.com'),
    walletApi: urlOf('https', 'http').default('https://api-m.paypal.com'),
    shopSecrets: hidden(secrets.default(none)),
    requireConnection: flag.optional(),
    unauthenticatedBytes: byteSize.default(256 * 1024 * 1024),
  }),
});
export type IntakeConfig = ConfigOf<typeof intakeConfiguration>;
