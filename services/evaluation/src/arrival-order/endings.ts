import type { Life, Told } from './lives';
import { afterWebhook, type Stage, type World, worldOf } from './world';

/** Webhooks in an order of arrival, and the order of the shop after them. */
export type Ending = { readonly sequence: readonly Told[]; readonly world: World };

/** In what two endings differ: as the one has it and as the other, null where it is not there; `by`: the rules that did it last. */
export type Difference = {
  readonly what: string;
  readonly ends: readonly (string | null)[];
  readonly by: readonly number[];
};

/** The webhooks of a life, and with each of them reported twice. */
export const tellings = (life: Life): (readonly Told[])[] => [life, ...life.map(({ again }) => [...life, again])];

/**
 * The endings of webhooks in all orders of arrival, and those of some of the webhooks, the payment among them: fewest first. Each kind of ending once, with the
 * sequence that is nearest to the given one. What has come to the same goes on as one, also from one telling of a life to the next.
 */
export function endingsOn(stage: Stage): (told: readonly Told[]) => Promise<Ending[][]> {
  const start = worldOf(stage);
  const worlds = new Map<string, World>();
  const steps = new Map<World, Map<Told, World>>();
  const stepped = async (world: World, told: Told): Promise<World> => {
    const before = steps.get(world) ?? new Map<Told, World>();
    const known = before.get(told);
    if (known) return known;
    const made = await afterWebhook(world, told, stage);
    const key = keyOf(made);
    const after = worlds.get(key) ?? made;
    worlds.set(key, after);
    steps.set(world, before.set(told, after));
    return after;
  };
  return async (told) => {
    const paid = told.find(({ event }) => event.genericType === 'payment_completed');
    const all: Ending[][] = [];
    let level: Ending[] = [{ sequence: [], world: start }];
    for (const _ of told) {
      const next = new Map<string, Map<World, Ending>>();
      for (const { sequence, world } of level)
        for (const one of told.filter((other) => !sequence.includes(other))) {
          const after = await stepped(world, one);
          const arrived = String(told.map((other) => other === one || sequence.includes(other)));
          const same = next.get(arrived) ?? new Map<World, Ending>();
          if (!same.has(after)) next.set(arrived, same.set(after, { sequence: [...sequence, one], world: after }));
        }
      const endings = [...next.values()].map((same) => [...same.values()]);
      all.push(...endings.filter(([first]) => !paid || first?.sequence.includes(paid)));
      level = endings.flat();
    }
    return all;
  };
}

/** All that the rest depends on. Of times it is whether the status is newer than what is known. */
function keyOf({ context: { order }, known, done, marks, passedOver, late }: World): string {
  const since = Date.parse(order.status_since ?? '');
  const states = known.states.map(({ noted_at = '', object, type }) => [object, type, since >= Date.parse(noted_at)]);
  const reported = [...states, ...known.payments, ...(known.refunds ?? [])].map((one) => JSON.stringify(one));
  const made = [...marks].map(([name, { value, by }]) => `${name} ${value} ${by}`);
  return JSON.stringify([order.status, passedOver, late, reported.sort(), made.sort(), [...done].sort()]);
}

/**
 * What the order of arrival makes different. Sequences are compared in which the same webhooks counted, since one that something later has made void does nothing
 * on purpose; but always where a payment came too late for its order, which nobody wants. What only adds up (notes, tags, e-mails, calls) is compared where every
 * webhook reached its rules: of the others the log tells.
 */
export function differences({ world: one }: Ending, { world: other }: Ending): Difference[] {
  if (String(one.passedOver) !== String(other.passedOver) && !one.late && !other.late) return [];
  const isWhole = [one, other].every(({ late, passedOver }) => !late && passedOver.length === 0);
  return [...new Set([...one.marks.keys(), ...other.marks.keys()])].flatMap((what) => {
    const endOf = (world: World) =>
      what === 'status' ? world.context.order.status : (world.marks.get(what)?.value ?? null);
    const ends = [endOf(one), endOf(other)];
    const isField = what.startsWith('field ') && !ends.includes(null);
    if (ends[0] === ends[1] || !(what === 'status' || isField || isWhole)) return [];
    const by = [one, other].flatMap(({ marks }) => marks.get(what)?.by ?? []);
    return [{ what, ends, by: [...new Set(by)] }];
  });
}
