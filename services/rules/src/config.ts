import { type ConfigOf, defineConfig, describedConfig, extensionsConfiguration, flag } from '@order-automation/service';
import texts from './variables.json';

/** decisions.md section 10. */
export const rulesConfiguration = defineConfig({
  ...describedConfig(texts, { requireTest: flag.default(false) }),
  ...extensionsConfiguration,
});
export type RulesConfig = Omit<ConfigOf<typeof rulesConfiguration>, 'requireTest'> & { readonly requireTest?: boolean };
