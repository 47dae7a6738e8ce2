import { type ConfigOf, defineConfig, extensionsConfiguration } from '@order-automation/service';

/** decisions.md section 10. */
export const proDebugConfiguration = defineConfig({ ...extensionsConfiguration });
export type ProDebugConfig = ConfigOf<typeof proDebugConfiguration>;
