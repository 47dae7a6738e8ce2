import { type ConfigOf, defineConfig } from '@order-automation/service';

/** The rules service has nothing of its own to configure. */
export const rulesConfiguration = defineConfig({});
export type RulesConfig = ConfigOf<typeof rulesConfiguration>;
