import { type ConfigOf, defineConfig, flag, words } from '@order-automation/service';
import { shortestSecret } from './adapters/card-signature';

/** decisions.md section 10. */
export const intakeConfiguration = defineConfig({
  cardSecrets: {
    env: 'GATEWAY_CARD_SECRETS',
    schema: words
      .refine(
        (secrets) => secrets.every((secret) => secret.length >= shortestSecret),
        `each secret must have at least ${shortestSecret} characters`,
      )
      .default([]),
    description:
      'Signing secrets of the card gateway, separated by white space, newest first; without one every card webhook is refused',
    example: 'whsec_0123456789abcdef0123456789abcdef',
    secret: true,
    defaultText: 'embedded: one is generated and shown; distributed: none',
  },
  requireConnection: {
    env: 'GENERIC_REQUIRE_CONNECTION',
    schema: flag.default(false),
    description: 'Refuse `/webhooks/generic` without a connection',
    example: 'true',
  },
});
export type IntakeConfig = ConfigOf<typeof intakeConfiguration>;
