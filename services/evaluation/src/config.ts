import { type ConfigOf, defineConfig } from '@order-automation/service';

/** Evaluation has nothing of its own to configure: what it does is in the rules. */
export const evaluationConfiguration = defineConfig({});
export type EvaluationConfig = ConfigOf<typeof evaluationConfiguration>;
