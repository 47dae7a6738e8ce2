import {
  type ConfigOf,
  defineConfig,
  describedConfig,
  duration,
  extensionsConfiguration,
  hidden,
  outboundConfiguration,
  retentionConfiguration,
  secretKeyConfiguration,
  siteConfiguration,
  urlOf,
} from '@order-automation/service';
import { z } from 'zod';
import texts from './variables.json';

/** decisions.md section 10. */
export const evaluationConfiguration = defineConfig({
  ...describedConfig(texts, {
    orderWait: duration.default(24 * 60 * 60 * 1000),
    giveUpAfter: duration.default(60 * 60 * 1000),
  }),
  ...extensionsConfiguration,
  ...secretKeyConfiguration,
  ...outboundConfiguration,
  ...describedConfig(texts, {
    smtpUrl: hidden(urlOf('smtp', 'smtps').optional()),
    smtpFrom: { schema: z.string().max(320).regex(/@/, 'must be an e-mail address').optional(), neededBy: 'SMTP_URL' },
  }),
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
