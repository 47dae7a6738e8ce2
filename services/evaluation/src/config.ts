import {
  type ConfigOf,
  defineConfig,
  duration,
  extensionsConfiguration,
  outboundConfiguration,
  retentionConfiguration,
  secretKeyConfiguration,
  siteConfiguration,
  urlOf,
} from '@order-automation/service';
import { z } from 'zod';

/** decisions.md section 10. */
export const evaluationConfiguration = defineConfig({
  orderWait: {
    env: 'ORDER_WAIT',
    schema: duration.default(24 * 60 * 60 * 1000),
    description:
      'How long an event waits for an order that the shop does not have yet, from when it is first looked for',
    example: '24h',
    defaultText: '`24h`',
  },
  giveUpAfter: {
    env: 'EFFECT_PATIENCE',
    schema: duration.default(60 * 60 * 1000),
    description:
      'How long an effect is tried again that the other side fails on for now: an e-mail, an outbound call, an order that the shop answers 5xx for while others work',
    example: '1h',
    defaultText: '`1h`',
  },
  ...extensionsConfiguration,
  ...secretKeyConfiguration,
  ...outboundConfiguration,
  smtpUrl: {
    env: 'SMTP_URL',
    schema: urlOf('smtp', 'smtps').optional(),
    description: 'Mail server; without one no e-mail is sent, and the log says so',
    example: 'smtps://shop:password@mail.example:465',
    secret: true,
    defaultText: 'none',
  },
  smtpFrom: {
    env: 'SMTP_FROM',
    schema: z.string().max(320).regex(/@/, 'must be an e-mail address').optional(),
    neededBy: 'SMTP_URL',
    description: 'Sender of e-mails; required where `SMTP_URL` is set',
    example: 'The shop <orders@shop.example>',
    defaultText: 'none',
  },
  ...retentionConfiguration,
  ...siteConfiguration,
});

/**
 * `isOnlyInstance`: no other process can hold an event, so what a process that died has left is taken up at once. `holdFor`: milliseconds that calls to a host
 * that fails are held back, by default 30,000.
 */
export type EvaluationConfig = ConfigOf<typeof evaluationConfiguration> & {
  readonly isOnlyInstance?: boolean;
  readonly holdFor?: number;
};
