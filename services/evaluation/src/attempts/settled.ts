import type { Settlement } from '@order-automation/bus';

/** Done, or to be delivered again. */
export const settled = (work: () => Promise<void>): Promise<Settlement> =>
  work().then(
    () => ({ kind: 'done' }),
    (error) => ({ kind: 'retry', error }),
  );
