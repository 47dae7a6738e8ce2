import { textOf } from '@order-automation/base';
import type { EventType } from '@order-automation/contracts';
import { RejectError } from './errors';
import type { Message, Settlement } from './port';
import { readMessage } from './wire';

/** A handler of any event type: what adapters keep. */
export type AnyHandler = (messages: readonly Message[]) => Promise<void | readonly Settlement[]>;

/** Handles messages as they travel; one settlement each, in order. */
export type TextHandler = (texts: readonly string[]) => Promise<readonly Settlement[]>;

const done: Settlement = { kind: 'done' };

/** Reads the messages for the handler; what cannot be read is rejected and never reaches it. Never rejects. */
export function readingFor(type: EventType, handler: AnyHandler): TextHandler {
  return async (texts) => {
    const read = texts.map((text) => tryToRead(type, text));
    const messages = read.filter((one): one is Message => !('kind' in one));
    const settlements = messages.length === 0 ? [] : await settle(messages.length, () => handler(messages));
    let next = 0;
    return read.map((one) => ('kind' in one ? one : (settlements[next++] as Settlement)));
  };
}

function tryToRead(type: EventType, text: string): Message | Settlement {
  try {
    return readMessage(type, text);
  } catch (error) {
    return { kind: 'reject', reason: textOf(error) };
  }
}

/** One settlement for each of `count` messages, whatever the handler does. Never rejects. The one place where outcomes of handlers are read. */
export async function settle(
  count: number,
  handle: () => Promise<void | readonly Settlement[]>,
): Promise<readonly Settlement[]> {
  try {
    const settlements = await handle();
    if (settlements === undefined) return Array<Settlement>(count).fill(done);
    if (Array.isArray(settlements) && settlements.length === count) return settlements.map(validSettlement);
    throw new Error(`The handler settled ${settlements?.length} of ${count} messages.`);
  } catch (error) {
    return Array<Settlement>(count).fill(validSettlement({ kind: 'retry', error }));
  }
}

/** What no adapter understands is an error of the handler, never "done". */
function validSettlement(settlement: Settlement): Settlement {
  switch (settlement?.kind) {
    case 'done':
    case 'reject':
      return settlement;
    case 'retry':
      return settlement.error instanceof RejectError
        ? { kind: 'reject', reason: settlement.error.message, error: settlement.error }
        : settlement;
    default:
      return {
        kind: 'retry',
        error: new Error(`The handler gave an unknown settlement: ${JSON.stringify(settlement)}`),
      };
  }
}
