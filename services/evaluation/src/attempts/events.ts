import type { Settlement } from '@order-automation/bus';
import { type EventReceived, message } from '@order-automation/contracts';
import { inSequence, type ServiceDeps } from '@order-automation/service';
import { backlogOf } from './backlog';
import { settled } from './settled';
import { awaitedKeys } from './waiting';

/** Milliseconds since its arrival for which an event is fresh. */
const freshFor = 60_000;

/**
 * Evaluates events of gateways. One that is no longer fresh (after an outage or a pause, of an import or a replay) goes to a queue of its own, from
 * which fewer are taken at a time: what arrives now does not wait for a backlog. Moving one costs a message, so that fresh events are reached soon,
 * however many stand before them. A fresh event of an order that has events there waits behind them; in each
 * queue events of one order are evaluated in the order in which they come.
 */
export async function subscribeToEvents(
  { bus, clock }: Pick<ServiceDeps, 'bus' | 'clock'>,
  evaluateOne: (event: EventReceived) => Promise<Settlement>,
): Promise<void> {
  const backlog = backlogOf(clock);
  const sequence = inSequence();
  const evaluate = (data: EventReceived): Promise<Settlement> =>
    sequence(awaitedKeys(data.event.orderReference), () => evaluateOne(data));
  const postpone = (events: readonly EventReceived[]): Promise<Settlement> =>
    settled(async () => {
      if (events.length === 0) return;
      await bus.publish(
        events.map((data) => {
          const { process_id, event } = data;
          const origin = { process_id, causation_id: event.id, now: clock.now() };
          return message('evaluation.event-postponed.v1', data, origin);
        }),
      );
    });
  await bus.subscribe(
    'intake.event-received.v1',
    'evaluation',
    (messages) => {
      const now = clock.now();
      const late = new Set(
        messages.filter(({ data: { event } }) => {
          const isLate = now - Date.parse(event.receivedAt) > freshFor || backlog.has(event.orderReference);
          if (isLate) backlog.add(event.orderReference);
          return isLate;
        }),
      );
      const events = [...late].map(({ data }) => data);
      const postponed = postpone(events).then((settlement) => {
        // They come again, and are counted again.
        if (settlement.kind !== 'done') for (const { event } of events) backlog.remove(event.orderReference);
        return settlement;
      });
      return Promise.all(messages.map((event) => (late.has(event) ? postponed : evaluate(event.data))));
    },
    { maxBatch: 32, concurrency: 8 },
  );
  await bus.subscribe(
    'evaluation.event-postponed.v1',
    'evaluation',
    (messages) =>
      Promise.all(
        messages.map(async ({ data }) => {
          const settlement = await evaluate(data);
          if (settlement.kind === 'done') backlog.remove(data.event.orderReference);
          return settlement;
        }),
      ),
    { maxBatch: 96, concurrency: 2 },
  );
}
