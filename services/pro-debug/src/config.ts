import { type ConfigOf, defineConfig } from '@order-automation/service';

/** Debugging has nothing of its own to configure. */
export const proDebugConfiguration = defineConfig({});
export type ProDebugConfig = ConfigOf<typeof proDebugConfiguration>;
