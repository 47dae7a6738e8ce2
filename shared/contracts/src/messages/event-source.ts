import { z } from 'zod';
import { askedBy, exchange, time } from '../exchange';

/** A gateway that can be asked for the events that it has sent, and what came of asking. */
export const eventSourceSchema = z.object({
  /** Whether there is a key: without one nothing is asked. */
  connected: z.boolean(),
  key_last4: z.string().nullable(),
  /** What a key is, and what it has to be allowed to do, in words. */
  key_text: z.string(),
  /** For how many days the gateway lists its events. */
  kept_days: z.int(),
  /** Whether it is being asked now, or about to be: the window that follows `asked_until` is not done yet. */
  asking: z.boolean(),
  asked_at: time.nullable(),
  /** Everything up to then has been asked for. */
  asked_until: time.nullable(),
  next_at: time.nullable(),
  /** Events that had never arrived and were taken up, since there is a key. */
  found: z.int(),
  last_found: z.object({ at: time, events: z.int() }).nullable(),
  /** Why it could not be asked the last time. */
  problem: z.string().nullable(),
});
export type EventSourceRecord = z.infer<typeof eventSourceSchema>;

/** Events of one gateway that had never arrived: when the first and the last were sent, how many were taken up, and what became of them. */
export const recoveredSchema = z.object({
  gateway: z.string(),
  from: time,
  to: time,
  total: z.int(),
  done: z.int(),
  waiting: z.int(),
  dead: z.int(),
  ...eventSourceSchema.pick({ asking: true, asked_until: true }).shape,
});
export type Recovered = z.infer<typeof recoveredSchema>;

const one = { gateway: z.string() };
const source = { source: eventSourceSchema };

/**
 * What administrators ask of intake about events that never arrived. 404 `svc_gateway_not_found`; 409 `svc_source_not_available` for a gateway that lists no
 * events, or, by the last two, that has no key.
 */
export const eventSourceRequests = {
  'intake.source.get.v1': exchange(one, source),
  /** Tries the key before it is stored: 400 when the gateway refuses it, 409 `svc_source_unavailable` when it cannot be asked. What was sent from now on is asked for. */
  'intake.source.connect.v1': exchange({ ...one, key: z.string().min(1).max(500), ...askedBy }, source),
  'intake.source.disconnect.v1': exchange({ ...one, ...askedBy }, { deleted: z.literal(true) }),
  /** Asks at once; with `since` for everything from then on, as far back as the gateway lists it. */
  'intake.source.ask.v1': exchange({ ...one, since: time.nullable(), ...askedBy }, source),
} as const;
