import { newInFlight } from '@order-automation/bus';
import { type Message, message } from '@order-automation/contracts';
import type { Clock, ServiceDeps } from '@order-automation/service';
import type { InboxEvent } from '../inbox/documents';
import { receivedOf } from '../inbox/entries';
import type { Telemetry } from '../telemetry';

export type FastPath = ReturnType<typeof fastPath>;

/** Events that may wait for the bus to take them: more than comes in while a busy machine gives the receiver no time, a second or two. */
export const maxPublishing = 8192;
/** Ids of unpublished events that are remembered; the relay finds the others when they are due. */
const maxUnpublished = 100_000;
/** Milliseconds between two reports of a recovery: a bus that is full takes some events and refuses others. */
const recoveryInterval = 1_000;

/** `onRecovery` is called when events could not be published and publishing works again. */
export function fastPath(
  { bus, clock, telemetry }: Pick<ServiceDeps, 'bus' | 'clock'> & { readonly telemetry: Telemetry },
  onRecovery: () => void,
) {
  const unpublished = new Set<string>();
  let recoveredAt = Number.NEGATIVE_INFINITY;
  const inFlight = newInFlight();
  let publishing = 0;

  const deferToRelay = (ids: readonly string[], error: unknown): void => {
    telemetry.unpublished(ids.length, error);
    for (const id of ids) if (unpublished.size < maxUnpublished) unpublished.add(id);
  };
  const recovered = (): void => {
    const now = clock.now();
    if (unpublished.size === 0 || now - recoveredAt < recoveryInterval) return;
    recoveredAt = now;
    onRecovery();
  };
  const publish = async (messages: readonly Message[], ids: readonly string[]): Promise<void> => {
    try {
      await bus.publish(messages);
      recovered();
    } catch (error) {
      deferToRelay(ids, error);
    }
    publishing -= ids.length;
  };

  return {
    /** Publishes events at once and without a promise. */
    announce: (documents: readonly InboxEvent[]): void => {
      if (documents.length === 0) return;
      const ids = documents.map(({ _id }) => _id);
      if (publishing + ids.length > maxPublishing) {
        deferToRelay(ids, undefined);
        return;
      }
      publishing += ids.length;
      const messages = documents.map((document) => eventMessage(document, clock));
      inFlight.add(publish(messages, ids));
    },
    /** Up to `limit` events that could not be published, oldest first. */
    unpublished: (limit: number): readonly string[] => [...unpublished].slice(0, limit),
    /** These need not be remembered: they are published, or done. */
    forget: (ids: Iterable<string>): void => {
      for (const id of ids) unpublished.delete(id);
    },
    idle: inFlight.idle,
  };
}

/** The message about an accepted event: the same id each time. */
export function eventMessage(document: InboxEvent, clock: Clock): Message<'intake.event-received.v1'> {
  const data = receivedOf(document);
  const { _id: id, replay_of: causation_id = null } = document;
  return message('intake.event-received.v1', data, { id, process_id: data.process_id, causation_id, now: clock.now() });
}
