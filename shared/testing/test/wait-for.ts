import { setTimeout as delay } from 'node:timers/promises';

type WaitOptions = {
  /** Milliseconds, times TEST_PATIENCE where that is set. Default 30,000: what is met sooner waits no longer, and a busy machine takes its time. */
  readonly timeout?: number;
  /** What is waited for, for the message of the failure. */
  readonly describe?: string;
  /** Milliseconds between two looks. Default 10, growing to 100. */
  readonly every?: number;
};

/** Looks again until `condition` gives something truthy, and resolves with it. Rejects after `timeout`, with what it waited for and the last error. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const { describe = 'the condition', every = 10 } = options;
  const timeout = (options.timeout ?? 30_000) * Number(process.env.TEST_PATIENCE ?? 1);
  const deadline = Date.now() + timeout;
  for (let wait = every; ; wait = Math.min(wait * 1.5, Math.max(every, 100))) {
    let cause: unknown;
    try {
      const value = await condition();
      if (value) return value as Exclude<T, false | null | undefined | 0 | ''>;
    } catch (error) {
      cause = error;
    }
    if (Date.now() >= deadline)
      throw new Error(`waited ${timeout} ms for ${describe}`, cause === undefined ? {} : { cause });
    await delay(wait);
  }
}
