import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { type MessagePort, workerData } from 'node:worker_threads';
import { portCalls } from '@order-automation/bus/threads';
import type { MetricFamily, MetricsSource, Missing } from '@order-automation/service';
import type { ThreadData } from './thread-spawn';

export type ThreadWork = {
  /** What of it is not ready. */
  missing(): Promise<readonly Missing[]>;
  readonly metrics: MetricsSource;
  close(): Promise<void>;
};

/** What the maker of the thread asks for, and what is answered. */
export type ThreadAnswers = { start: null; missing: readonly Missing[]; metrics: readonly MetricFamily[]; close: null };

/**
 * Does the work of this thread (`startThread`): launched when its maker says so, with one end of the port on which services of both threads
 * meet. An uncaught error ends the thread, and with it the process.
 */
export function runThread<Settings>(launch: (settings: Settings, bus: MessagePort) => Promise<ThreadWork>): void {
  const { bus, control } = workerData as ThreadData;
  let work: ThreadWork | undefined;
  const answers: { [Name in keyof ThreadAnswers]: (value: unknown) => Promise<unknown> } = {
    start: async (settings) => {
      work = await launch(settings as Settings, bus);
    },
    missing: async () => (await work?.missing()) ?? [{ part: 'thread', reason: 'not started yet' }],
    metrics: async () => (await work?.metrics()) ?? [],
    close: async () => work?.close(),
  };
  portCalls(
    control,
    (asked, value) => answers[asked as keyof ThreadAnswers](value),
    () => bus.close(),
  );
}

/**
 * Lets this thread, and the threads it starts from now on, have the processor after those that stay as they are: `niceness` from 1 to 19. Where
 * threads have no priorities of their own (anything but Linux), nothing changes.
 */
export function lowerPriority(niceness: number): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), Math.max(getPriority(), niceness));
  } catch {
    // All threads stay equal.
  }
}
