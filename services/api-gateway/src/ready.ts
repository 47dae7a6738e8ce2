import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@order-automation/bus';
import { unavailable } from '@order-automation/contracts';
import type { Logger } from 'pino';

/** Milliseconds. */
const firstPause = 50;
const longestPause = 1_000;
const timeout = 30_000;

/** Why intake cannot store a webhook now, fit to show to an operator; undefined when it can. */
export async function intakeProblem(bus: Bus): Promise<string | undefined> {
  try {
    const { ready, reason } = await bus.request('intake.status.v1', {}, { timeout: 1_500 });
    return ready ? undefined : `intake is not ready: ${reason ?? 'it does not say why'}`;
  } catch (error) {
    return `intake does not answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Waits until a webhook could be stored; rejects with 503 after 30 s. Nothing is promised to senders before. */
export async function untilIntakeReady(bus: Bus, log: Logger): Promise<void> {
  const deadline = performance.now() + timeout;
  let lastLogged = '';
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    const problem = await intakeProblem(bus);
    if (problem === undefined) return;
    if (performance.now() > deadline) throw unavailable(problem);
    if (problem !== lastLogged) log.info({ reason: problem }, 'waiting for intake before the public port opens');
    lastLogged = problem;
    await delay(pause);
  }
}
