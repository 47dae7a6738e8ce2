import { idBound } from '@order-automation/contracts';
import { type Relay, startPolling, startRelay } from '@order-automation/service';
import type { DeliveryParts } from './delivery';

/** Milliseconds that evaluation has to end an event before it gets an inbox document of its own. */
export const evaluationTime = 5_000;
/** Milliseconds between two looks for events that another process has left. */
const lookEvery = 5_000;
/** Milliseconds after which an event has a document, or its process has ended. */
const orphanedAfter = 10_000;
/** Milliseconds between two marks. */
const markEvery = 30_000;
/** Milliseconds by which the clocks of two processes may differ, or a write may be late. */
const margin = 10 * 60_000;
const batch = 500;

type Parts = Pick<DeliveryParts, 'clock' | 'log' | 'collections'>;

/** Gives events that evaluation has not ended in a few seconds the inbox documents by which the relay finds them. `from` as `adoptLeft` resolves. */
export function adoptionRelays(parts: Parts & Pick<DeliveryParts, 'every'>, from: number): Relay[] {
  const { clock, log, every, collections } = parts;
  const { inbox } = collections;
  let adopted = from;
  let marked = from;
  const lookForOrphans = async (): Promise<void> => {
    const upto = clock.now() - orphanedAfter;
    // A clock that ran ahead was put right.
    await adoptBetween(parts, adopted > upto ? upto - margin : adopted, upto);
    adopted = upto;
    if (Math.abs(upto - marked) < markEvery) return;
    await collections.marks.set(upto);
    marked = upto;
  };
  return [
    startRelay<string>({
      name: 'events without an end',
      pending: async (now, limit) => inbox.acceptedBefore(now - evaluationTime, now, limit),
      send: (ids) => inbox.adopt(ids),
      batch,
      every,
      clock,
      log,
    }),
    startPolling('orphaned events', lookEvery, lookForOrphans, { clock, log }),
  ];
}

/** Adopts what earlier processes have left, whenever that was. Resolves with the time, in milliseconds since the epoch, from which others may leave more. */
export async function adoptLeft({ collections, clock }: Pick<Parts, 'collections' | 'clock'>): Promise<number> {
  const now = clock.now();
  const mark = await collections.marks.get();
  const from = Math.min(mark ?? now, now) - margin;
  await adoptBetween({ collections }, from, undefined);
  if (mark === undefined) await collections.marks.set(from);
  return from;
}

/** Both times in milliseconds since the epoch. */
async function adoptBetween(
  { collections: { inbox, payloads } }: Pick<Parts, 'collections'>,
  from: number,
  before: number | undefined,
): Promise<void> {
  const range = { from: idBound('evt', from), ...(before === undefined ? {} : { below: idBound('evt', before) }) };
  const count = await payloads.count(range);
  if (count === (await inbox.countIds(range))) return;
  // No more than there were: others may receive faster than this goes.
  let { from: after } = range;
  for (let left = count; left > 0; left -= batch) {
    const ids = await payloads.ids({ ...range, from: after }, batch);
    const last = ids.at(-1);
    if (last === undefined) return;
    await inbox.adopt(ids);
    after = last;
  }
}
