import { type FieldChange, type Occurrence, orderStatuses } from '@order-automation/contracts';
import { type CompiledRule, type Facts, imagined, withChanges } from '@order-automation/engine';

type Firing = Pick<CompiledRule, 'listensTo' | 'wouldFire'>;

const minute = 60_000;
/** Milliseconds: triggers that look at the time look at no more than ten years. */
const furthest = 3_660 * 24 * 60 * minute;

/** The smallest change after which a trigger fires that does not: another event, status, a later time, or several. Null when none is known. */
export function firingChanges(rule: Firing, facts: Facts): FieldChange[] | null {
  const fires = (changes: readonly FieldChange[]): boolean => rule.wouldFire(withChanges(facts, changes)).would_fire;
  const { status } = facts.context.order;
  const named = rule.listensTo.flatMap((one) => (one.type !== 'gateway_event' && one.to_status ? [one.to_status] : []));
  const statuses = [status, ...new Set([...named, ...orderStatuses])];
  for (const later of [false, true]) {
    for (const to of statuses) {
      const ofStatus = to === status ? [] : [{ field: 'order.status', from: status, to }];
      for (const ofEvent of eventChanges(rule, withChanges(facts, ofStatus))) {
        const changes = [...ofStatus, ...ofEvent];
        const found = later ? withTime(changes, facts, fires) : fires(changes) ? changes : null;
        if (found) return found;
      }
    }
  }
  return null;
}

const occurrenceFields = ['type', 'event_type', 'gateway', 'from_status', 'to_status'] as const;

/** No change, and for each occurrence that the trigger listens to those that make it of the one that happened. */
function eventChanges({ listensTo }: Firing, facts: Facts): FieldChange[][] {
  const { occurrence } = facts;
  if (occurrence === null) return [[]];
  return [[], ...imagined(listensTo, facts).map((wanted) => differences(occurrence, wanted))];
}

const differences = (from: Occurrence, to: Occurrence): FieldChange[] =>
  occurrenceFields
    .filter((field) => from[field] !== to[field])
    .map((field) => ({ field: `occurrence.${field}`, from: from[field], to: to[field] }));

/** The changes and the first minute at which the trigger fires after them. */
function withTime(
  changes: readonly FieldChange[],
  { now }: Facts,
  fires: (changes: readonly FieldChange[]) => boolean,
): FieldChange[] | null {
  const at = (to: number): FieldChange[] => [...changes, { field: 'now', from: now, to }];
  if (!fires(at(now + furthest))) return null;
  let [low, high] = [0, Math.ceil(furthest / minute)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fires(at(now + middle * minute))) high = middle;
    else low = middle;
  }
  return at(now + high * minute);
}
