import {
  type ConfigOf,
  defineConfig,
  duration,
  extensionsConfiguration,
  mailConfiguration,
  outboundConfiguration,
  retentionConfiguration,
  secretKeyConfiguration,
  siteConfiguration,
  type TracingConfig,
  tracingConfiguration,
} from '@order-automation/service';

/** decisions.md section 10. */
export const evaluationConfiguration = defineConfig({
  orderWait: {
    env: 'ORDER_WAIT',
    schema: duration.default(24 * 60 * 60 * 1000),
    description: 'How long an event waits for an order that the shop does not have yet',
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
  ...mailConfiguration,
  ...retentionConfiguration,
  ...siteConfiguration,
  ...tracingConfiguration,
});

/**
 * `alone`: no other process can hold an event, so what a process that died has left is taken up at once. `holdFor`: milliseconds that calls to a host
 * that fails are held back, by default 30,000. The variables of tracing are read by the process.
 */
export type EvaluationConfig = Omit<ConfigOf<typeof evaluationConfiguration>, keyof TracingConfig> & {
  readonly alone?: boolean;
  readonly holdFor?: number;
};
