import { type ConfigOf, defineConfig, extensionsConfiguration, siteConfiguration } from '@order-automation/service';

/** decisions.md section 10. */
export const proDebugConfiguration = defineConfig({ ...extensionsConfiguration, ...siteConfiguration });
export type ProDebugConfig = ConfigOf<typeof proDebugConfiguration>;
