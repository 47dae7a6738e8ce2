import { type ConfigOf, defineConfig, extensionsConfiguration, flag } from '@order-automation/service';

/** decisions.md section 10. */
export const rulesConfiguration = defineConfig({
  requireTest: {
    env: 'REQUIRE_RULE_TEST',
    schema: flag.default(false),
    description:
      'Enable a rule that changes the status of orders only after these very components and settings were tested on an order, or back-tested, in the last 30 days (extended edition)',
    example: 'true',
    defaultText: '`false`',
  },
  ...extensionsConfiguration,
});
export type RulesConfig = Omit<ConfigOf<typeof rulesConfiguration>, 'requireTest'> & { readonly requireTest?: boolean };
