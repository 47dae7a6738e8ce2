import type { Logger } from 'pino';
import type { Clock } from './service';

export type OutageLog = ReturnType<typeof outageLog>;

/** Milliseconds between two lines about one outage. */
const repeatEvery = 60_000;

/** One line a minute while something does not answer, and one when it does again: what, since when, how much waits. Each new cause with its stack. */
export function outageLog(what: string, { clock, log }: { readonly clock: Clock; readonly log: Logger }) {
  let since: number | null = null;
  let saidAt = 0;
  let said = '';
  return {
    /** `waiting`: how much waits for the end of the outage. */
    failed: (error: unknown, waiting: number): void => {
      const now = clock.now();
      const cause = error instanceof Error ? error.message : String(error);
      const isNew = since === null || cause !== said;
      since ??= now;
      if (!isNew && now - saidAt < repeatEvery) return;
      saidAt = now;
      said = cause;
      const facts = { since: new Date(since).toISOString(), waiting };
      log.warn(isNew ? { ...facts, err: error } : { ...facts, cause }, `${what}: failing, will be tried again`);
    },
    recovered: (): void => {
      if (since === null) return;
      log.info({ since: new Date(since).toISOString(), took_ms: clock.now() - since }, `${what}: works again`);
      since = null;
      said = '';
    },
  };
}
