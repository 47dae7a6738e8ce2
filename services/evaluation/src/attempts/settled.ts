import type { Settlement } from '@order-automation/bus';

/** Done, or to be delivered again. */
export async function settled(work: () => Promise<void>): Promise<Settlement> {
  try {
    await work();
    return { kind: 'done' };
  } catch (error) {
    return { kind: 'retry', error };
  }
}
