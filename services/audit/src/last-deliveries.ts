import { z } from 'zod';
import type { Entry } from './entry';
import { aspectsOf } from './facets';
import type { Log } from './log';
import { inOrder } from './process-row';

const outcomeSchema = z.object({ actions_open: z.int().positive() });
const deliverySchema = z.object({ delivery: z.object({ id: z.string() }), result: z.literal('delivered') });

/**
 * An outcome with calls or e-mails that were still to be delivered gives way to the last of them once all are delivered. Those that were
 * given up are errors, which stand for their process anyway.
 */
export async function lastDeliveries(outcomes: readonly Entry[], { byProcess }: Log['records']): Promise<Entry[]> {
  const open = new Map(
    outcomes.flatMap(({ process_id, facet, details }) => {
      const { event_type, status } = aspectsOf(facet);
      if (event_type !== 'process_completed' || status !== 'pending') return [];
      const outcome = outcomeSchema.safeParse(details);
      return outcome.success ? [[process_id, outcome.data.actions_open] as const] : [];
    }),
  );
  if (open.size === 0) return [];
  return [...(await byProcess([...open.keys()]))].flatMap(([process, entries]) => {
    const delivered = new Map(
      inOrder(entries).flatMap((entry) => {
        const delivery = deliverySchema.safeParse(entry.details);
        return delivery.success ? [[delivery.data.delivery.id, entry] as const] : [];
      }),
    );
    const last = [...delivered.values()].at(-1);
    return last && delivered.size >= (open.get(process) ?? 0) ? [last] : [];
  });
}
