import { RejectError } from './errors';
import type { Message, Settlement } from './port';

/** What becomes of a message after its handler had it. */
export type Disposition =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly error: unknown }
  | { readonly kind: 'dead'; readonly reason: string; readonly error?: unknown };

/** A handler of any event type: what adapters keep. */
export type AnyHandler = (messages: readonly Message[]) => Promise<void | readonly Settlement[]>;

const done: Disposition = { kind: 'done' };

/**
 * Runs the handler and says what becomes of each message, in order. Never rejects. The one place where outcomes of handlers are read.
 * `attempts` counts this delivery in: a retry at `maxDeliver` is the end.
 */
export async function settleBatch(
  handler: AnyHandler,
  messages: readonly Message[],
  attempts: readonly number[],
  maxDeliver: number,
): Promise<readonly Disposition[]> {
  try {
    const settlements = await handler(messages);
    if (settlements === undefined) return messages.map(() => done);
    if (settlements.length === messages.length) {
      return settlements.map((settlement, index) => dispose(settlement, attempts[index] ?? 1, maxDeliver));
    }
    const error = new Error(`The handler settled ${settlements.length} of ${messages.length} messages.`);
    return attempts.map((count) => dispose({ kind: 'retry', error }, count, maxDeliver));
  } catch (error) {
    if (error instanceof RejectError) return messages.map(() => ({ kind: 'dead', reason: error.message, error }));
    return attempts.map((count) => dispose({ kind: 'retry', error }, count, maxDeliver));
  }
}

function dispose(settlement: Settlement, attempts: number, maxDeliver: number): Disposition {
  switch (settlement.kind) {
    case 'done':
      return done;
    case 'reject':
      return { kind: 'dead', reason: settlement.reason };
    case 'retry':
      if (settlement.error instanceof RejectError) {
        return { kind: 'dead', reason: settlement.error.message, error: settlement.error };
      }
      if (attempts < maxDeliver) return settlement;
      return { kind: 'dead', reason: textOf(settlement.error), error: settlement.error };
    default:
      return unknownSettlement(settlement);
  }
}

function unknownSettlement(settlement: never): Disposition {
  return { kind: 'dead', reason: `The handler answered with an unknown settlement: ${JSON.stringify(settlement)}` };
}

/** An error in one line. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.slice(0, 1000);
}

export type Backoff = {
  /** Milliseconds before the second delivery. */
  readonly first: number;
  /** By how much each delay exceeds the one before. */
  readonly factor: number;
  /** Longest delay in milliseconds. */
  readonly longest: number;
};

/** Milliseconds to wait after `attempts` deliveries. */
export function delayAfter(attempts: number, backoff: Backoff): number {
  return Math.min(backoff.first * backoff.factor ** (attempts - 1), backoff.longest);
}
