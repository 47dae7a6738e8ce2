import {
  byteSize,
  type ConfigOf,
  defineConfig,
  extensionsConfiguration,
  flag,
  secretKeyConfiguration,
  siteConfiguration,
  urlOf,
  words,
} from '@order-automation/service';
import { z } from 'zod';
import { shortestSecret } from './gateways/card/signature';
import type { LiveSecret } from './gateways/connection';

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

/** How a gateway's references to orders are read; what is set here cannot be changed while the product runs. */
const referencesOf = (gateway: 'CARD' | 'WALLET', name: string) => ({
  reference: {
    env: `GATEWAY_${gateway}_ORDER_REFERENCE`,
    schema: orderReference,
    description: `What the ${name} names orders by: \`id\`, \`number\`, or \`auto\`, which takes whichever exists; where both exist and differ, no rule runs`,
    example: 'number',
    defaultText: '`auto`, or what `PUT /webhooks/gateways/{gateway}` set',
  },
  prefix: {
    env: `GATEWAY_${gateway}_ORDER_PREFIX`,
    schema: orderPrefix,
    description: `What stands before the order’s number in references of the ${name}`,
    example: 'WC-',
    defaultText: '`WC-` is understood without it',
  },
});
const card = referencesOf('CARD', 'card gateway');
const wallet = referencesOf('WALLET', 'wallet');

/** Where a gateway is asked for the events that never arrived, once it has a key. */
const apiOf = (gateway: 'CARD' | 'WALLET', name: string, address: string) => ({
  env: `GATEWAY_${gateway}_API`,
  schema: urlOf('https', 'http').default(address),
  description: `Address of the ${name}’s API, which is asked for events that never arrived once an administrator has given it a key`,
  example: address,
});

/** decisions.md section 10. */
export const intakeConfiguration = defineConfig({
  ...secretKeyConfiguration,
  ...extensionsConfiguration,
  awaitingPayment: siteConfiguration.awaitingPayment,
  cardSecrets: {
    env: 'GATEWAY_CARD_SECRETS',
    schema: secrets.default(none),
    description:
      'Signing secrets of the card gateway, separated by white space, newest first, each with an end if wanted (`secret@2026-12-31T00:00:00Z`); they work beside those that `POST /webhooks/gateways/gateway_card/secrets` adds, and without any every card webhook is refused',
    example: 'whsec_0123456789abcdef0123456789abcdef',
    secret: true,
    defaultText: 'embedded: one is generated and shown; distributed: none',
  },
  cardMode: {
    env: 'GATEWAY_CARD_MODE',
    schema: z.enum(['live', 'any'], { error: 'must be live or any' }).default('live'),
    description: '`live` refuses events of the card gateway’s test mode',
    example: 'any',
    defaultText: 'embedded: `any`; distributed: `live`',
  },
  cardOrderReference: card.reference,
  cardOrderPrefix: card.prefix,
  walletOrderReference: wallet.reference,
  walletOrderPrefix: wallet.prefix,
  walletWebhookId: {
    env: 'GATEWAY_WALLET_WEBHOOK_ID',
    schema: z
      .string()
      .regex(/^[\x21-\x7b\x7d\x7e]{1,100}$/, 'must be the id that the wallet shows for its webhook')
      .optional(),
    description: 'Id of the webhook at the wallet; without one its JSON webhooks are refused',
    example: '8PT597110X687430LKGECATA',
    defaultText: 'none',
  },
  walletCertificates: {
    env: 'GATEWAY_WALLET_CERTIFICATES',
    schema: z.string().min(1).optional(),
    description:
      'Directory of PEM files, named by certificate id, that the wallet signs with; intermediates stand in the same file',
    example: '/etc/order-automation/wallet',
    defaultText: 'none: they are loaded with `POST /webhooks/certificates`',
  },
  walletVerifyUrl: {
    env: 'GATEWAY_WALLET_IPN_VERIFY_URL',
    schema: urlOf('https', 'http').optional(),
    description:
      'Address that form-encoded notifications of the wallet (IPN) are posted back to; without one they are refused',
    example: 'https://ipnpb.paypal.com/cgi-bin/webscr',
    defaultText: 'none',
  },
  walletReceivers: {
    env: 'GATEWAY_WALLET_RECEIVER',
    schema: words.default([]),
    description:
      'E-mail addresses and account ids under which the wallet pays you, separated by white space; an IPN about a payment to another one is refused, and without any every IPN is',
    example: 'shop@example.com M3RCH4NT1D',
    defaultText: 'none: every IPN is refused',
  },
  walletTrust: {
    env: 'GATEWAY_WALLET_TRUST',
    schema: z.string().min(1).optional(),
    description: 'PEM bundle that certificates of the wallet must lead to',
    example: '/etc/ssl/certs/ca-certificates.crt',
    defaultText: 'the public roots of Node.js',
  },
  walletSubject: {
    env: 'GATEWAY_WALLET_SUBJECT',
    schema: z
      .string()
      .regex(/^(\*\.)?[a-z0-9.-]{3,253}$/i, 'must be a host name, or `*.` and a domain')
      .default('*.paypal.com'),
    description: 'Host name that certificates of the wallet must be about',
    example: '*.paypal.com',
  },
  cardApi: apiOf('CARD', 'card gateway', 'https://api.stripe.com'),
  walletApi: apiOf('WALLET', 'wallet', 'https://api-m.paypal.com'),
  shopSecrets: {
    env: 'GATEWAY_SHOP_SECRETS',
    schema: secrets.default(none),
    description:
      'Secrets of the WooCommerce webhooks for `/webhooks/gateway_shop`, as those of the card gateway; further ones by `POST /webhooks/gateways/gateway_shop/secrets`',
    example: '0123456789abcdef0123456789abcdef',
    secret: true,
    defaultText: 'none: they are refused',
  },
  requireConnection: {
    env: 'GENERIC_REQUIRE_CONNECTION',
    schema: flag.optional(),
    description:
      'Refuse `/webhooks/generic` without a connection; `false` opens it while there is no connection, also where there was one',
    example: 'true',
    defaultText: '`false` until the first connection is made, `true` from then on',
  },
  unauthenticatedBytes: {
    env: 'INTAKE_UNAUTHENTICATED_BYTES',
    schema: byteSize.default(256 * 1024 * 1024),
    description: 'Most bytes of webhooks that nothing proves which are kept at once; further ones are refused',
    example: '64MiB',
    defaultText: '256MiB',
  },
});
export type IntakeConfig = ConfigOf<typeof intakeConfiguration>;
