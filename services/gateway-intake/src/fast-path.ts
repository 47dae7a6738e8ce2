import { type Message, message } from '@order-automation/contracts';
import type { Clock, ServiceDeps } from '@order-automation/service';
import { receivedOf } from './entries';
import type { KeptEvent } from './payloads';
import type { Telemetry } from './telemetry';

export type FastPath = {
  /** Publishes events at once and without a promise: the relay finds what this misses. */
  announce(events: readonly KeptEvent[]): void;
  /** Resolves when nothing is being published. */
  idle(): Promise<void>;
};

/**
 * Events that may wait for the bus to take them; more are left to the relay, which keeps nothing in memory. It must be more than comes in
 * while a busy machine gives the receiver no time, a second or two: the relay looks only when the patience of an event is over.
 */
export const mostPublishing = 8192;

/** `onRecovery` is told when publishing works again. */
export function fastPath(
  { bus, clock, telemetry }: Pick<ServiceDeps, 'bus' | 'clock'> & { readonly telemetry: Telemetry },
  onRecovery: () => void,
): FastPath {
  let publishing = 0;
  let failing = false;
  let waiting: (() => void)[] = [];

  const settled = (count: number): void => {
    publishing -= count;
    if (publishing > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const publish = async (messages: readonly Message[], count: number): Promise<void> => {
    try {
      await bus.publish(messages);
      if (failing) onRecovery();
      failing = false;
    } catch (error) {
      failing = true;
      telemetry.notPublished(count, error);
    }
    settled(count);
  };

  return {
    announce: (events) => {
      const count = events.length;
      if (count === 0) return;
      if (publishing + count > mostPublishing) return telemetry.leftToRelay(count);
      publishing += count;
      void publish(
        events.map((kept) => eventMessage(kept, kept.event.id, clock)),
        count,
      );
    },
    idle: () => (publishing === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** The message about an accepted event, under an id of its own. */
export function eventMessage(kept: KeptEvent, id: string, clock: Clock): Message<'intake.event-received.v1'> {
  const data = receivedOf(kept);
  return message('intake.event-received.v1', data, { id, process_id: data.process_id, now: clock.now() });
}
