import type { EventType } from '@order-automation/contracts';
import type { Msg, MsgHdrs } from 'nats';

/** A message from a consumer, and what the server says about it in the address to acknowledge to. */
export type Delivery = {
  readonly msg: Msg;
  /** Deliveries so far, this one included. */
  readonly attempts: number;
  readonly sequence: number;
  /** When the stream took it, in milliseconds since the epoch. */
  readonly storedAt: number;
};

/**
 * `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<consumer sequence>.<nanoseconds>.<pending>`; newer servers put a domain
 * and an account in front of the stream and a random word at the end (ADR-15 of NATS). Undefined for anything else.
 */
export function deliveryOf(msg: Msg): Delivery | undefined {
  const words = msg.reply?.split('.') ?? [];
  if (words[0] !== '$JS' || words[1] !== 'ACK' || words.length < 9) return undefined;
  const first = words.length === 9 ? 4 : 6;
  const [attempts, sequence, , nanoseconds] = words.slice(first, first + 4).map(Number);
  if (!attempts || !sequence || !nanoseconds) return undefined;
  return { msg, attempts, sequence, storedAt: nanoseconds / 1e6 };
}

const text = new TextEncoder();

/** What may be sent to the address of a delivery. */
export const acknowledgement = {
  done: text.encode('+ACK'),
  working: text.encode('+WPI'),
  never: text.encode('+TERM'),
  again: (milliseconds: number): Uint8Array =>
    text.encode(milliseconds === 0 ? '-NAK' : `-NAK {"delay":${Math.round(milliseconds * 1e6)}}`),
};

/** The id that an unreadable message was published with, or its place in the stream. */
export function idOf(head: MsgHdrs | undefined, type: EventType, sequence: number): string {
  const known = head?.get('Nats-Msg-Id') || `sequence-${sequence}`;
  return known.startsWith(`${type}/`) ? known.slice(type.length + 1) : known;
}
