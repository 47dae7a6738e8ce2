import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, BusError, delayAfter, newInFlight, retryOf } from '@order-automation/bus';
import type { ReceivedWebhook, Reception } from '@order-automation/contracts';
import { batcher, outageLog, type ServiceDeps } from '@order-automation/service';
import { bodyOverhead } from '../http-server/body-reader';

/** 0001, step 1. */
const groupItems = 64;
const groupBytes = 512 * 1024;
const batchesInFlight = 2;
/** Gateways that judge at once. Others may ask somebody first, and nobody else's webhook waits for that. */
const grouped: ReadonlySet<string> = new Set(['gateway_card', 'generic']);
const maxUnbatched = 64;
/** Milliseconds of one request. A wallet has 2 s to answer whether it sent a notification. */
const groupTimeout = 2_500;
const unbatchedTimeout = 5_000;
/** Milliseconds that a sender waits for its answer, whatever happens to intake and the bus meanwhile. */
const answerTime = 8_000;
/** Milliseconds in which nothing can be stored any more. */
const tooShort = 100;
/** An instance of intake starts in one or two seconds: waiting for it longer between two tries gains nothing. */
const backoff = { first: 100, longest: 1_000 };

export type HandOver = ReturnType<typeof handOver>;

type Waiting = { readonly webhook: ReceivedWebhook; readonly deadline: number };
type Group = { readonly maxItems: number; readonly concurrency: number; readonly timeout: number };

/**
 * Hands webhooks to intake in groups, again while intake or the bus is unavailable: an instance that was killed answers nothing, and another one, or
 * the next, knows by the process id what the first one stored.
 */
export function handOver(deps: Pick<ServiceDeps, 'bus' | 'clock' | 'log'>) {
  const outage = outageLog('webhooks to intake', deps);
  const inFlight = newInFlight();
  const groups = groupsOf(deps.bus, { maxItems: groupItems, concurrency: batchesInFlight, timeout: groupTimeout });
  const singles = groupsOf(deps.bus, { maxItems: 1, concurrency: maxUnbatched, timeout: unbatchedTimeout });

  const attempt = async (waiting: Waiting): Promise<Reception | null> => {
    const { add } = grouped.has(waiting.webhook.gateway) ? groups : singles;
    const reception = await add(waiting).catch((error: unknown) => {
      outage.failed(error, inFlight.size);
      if (retryOf(error) === 'later') return null;
      throw error;
    });
    if (reception === null || reception.unstored) return null;
    outage.recovered();
    return reception;
  };
  const untilTaken = async (webhook: ReceivedWebhook): Promise<Reception | null> => {
    const waiting = { webhook, deadline: performance.now() + answerTime };
    for (let tries = 1; ; tries += 1) {
      const reception = await attempt(waiting);
      if (reception !== null) return reception;
      const pause = delayAfter(tries, backoff);
      if (waiting.deadline - performance.now() < pause + tooShort) return null;
      await delay(pause);
    }
  };
  return {
    /** Resolves with what intake says of it; null when intake could not be reached, or could not store it, for as long as its sender waits. */
    give: (webhook: ReceivedWebhook): Promise<Reception | null> => {
      const giving = untilTaken(webhook).catch(() => null);
      inFlight.add(giving);
      return giving;
    },
    /** Resolves when intake has answered for everything that was handed to it. */
    idle: inFlight.idle,
  };
}

/** A request lasts no longer than the sender that has waited longest; the others of its group are handed over again. */
function groupsOf(bus: Bus, { timeout, ...limits }: Group) {
  return batcher<Waiting, Reception>({
    run: async (waiting) => {
      const left = Math.min(...waiting.map(({ deadline }) => deadline)) - performance.now();
      if (left < tooShort) throw new BusError('timeout', 'Its sender does not wait any longer.');
      const webhooks = waiting.map(({ webhook }) => webhook);
      return (await bus.request('intake.receive.v1', { webhooks }, { timeout: Math.min(timeout, left) })).receptions;
    },
    ...limits,
    maxBytes: groupBytes,
    size: ({ webhook }) => webhook.body.length + bodyOverhead,
  });
}
