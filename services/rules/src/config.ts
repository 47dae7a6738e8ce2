import { type ConfigOf, defineConfig, extensionsConfiguration } from '@order-automation/service';

/** decisions.md section 10. */
export const rulesConfiguration = defineConfig({ ...extensionsConfiguration });
export type RulesConfig = ConfigOf<typeof rulesConfiguration>;
