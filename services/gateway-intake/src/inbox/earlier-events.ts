import { idBound } from '@order-automation/contracts';
import type { Store } from '@order-automation/store';
import type { Inbox } from './inbox';
import type { Payloads } from './payloads';

/** Events that came before its `at` (milliseconds since the epoch) have inbox documents: b457727 wrote it. */
const _id = 'adopted';
/** Milliseconds by which the clocks of two processes may differ, or a write may be late. */
const margin = 10 * 60_000;
const batch = 500;

/** b457727 inserted an event's inbox document late: events that it had accepted when it was killed get theirs here. `now` in ms since the epoch. */
export async function adoptEarlierEvents(
  store: Store,
  { inbox, payloads }: { readonly inbox: Inbox; readonly payloads: Payloads },
  now: number,
): Promise<void> {
  const marks = await store.collection<{ readonly _id: string; readonly at: number }>('marks');
  const mark = await marks.findOne({ _id });
  if (!mark) return;
  let ids = await payloads.idsAfter(idBound('evt', Math.min(mark.at, now) - margin), batch);
  for (let last = ids.at(-1); last !== undefined; last = ids.at(-1)) {
    await inbox.adopt(ids);
    ids = await payloads.idsAfter(last, batch);
  }
  await marks.deleteMany({ _id });
}
