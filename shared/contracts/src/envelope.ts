import { z } from 'zod';
import { newId } from './ids';
import { isoTime } from './iso-time';

/** Architecture, "The bus": what surrounds the data of every event. `time` is ISO 8601 UTC. */
export const envelopeSchema = z.object({
  id: z.string().min(1).max(200),
  type: z.string().min(1),
  time: z.iso.datetime(),
  process_id: z.string().nullable(),
  causation_id: z.string().nullable(),
  data: z.unknown(),
});

export type Envelope<Type extends string, Data> = Readonly<
  Omit<z.infer<typeof envelopeSchema>, 'type' | 'data'> & { type: Type; data: Data }
>;

export type Origin = {
  /** Derived from the cause, so that a retry publishes the same id; a fresh one when there is no cause. */
  readonly id?: string;
  readonly process_id?: string | null;
  /** The event that this follows from, where it is known: the one that is replayed, or put off. */
  readonly causation_id?: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** Wraps data as a message. */
export function envelope<Type extends string, Data>(type: Type, data: Data, origin: Origin): Envelope<Type, Data> {
  return {
    id: origin.id ?? newId('msg', origin.now),
    type,
    time: isoTime(origin.now),
    process_id: origin.process_id ?? null,
    causation_id: origin.causation_id ?? null,
    data,
  };
}
