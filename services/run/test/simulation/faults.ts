import { setTimeout as delay } from 'node:timers/promises';
import type { Bus, Subscription } from '@order-automation/bus';
import { unavailable } from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import { isRead, type Pass, passingStore } from '../passing-store';
import type { Dice } from '../year/dice';

/** What may happen at any call of the store or the bus. */
const kinds = ['lost', 'unheard', 'late', 'slow', 'ghost', 'torn', 'twice', 'dies', 'died', 'stands', 'clock'] as const;
export type Kind = (typeof kinds)[number];

export type Faults = {
  /** Which fault happens at this call, if any. */
  draw(call: string): Kind | undefined;
  readonly dice: Dice;
  readonly happened: string[];
};

/** One fault in `every` writes and messages on average, and less often at what only reads, until there were `most`. */
export function drawnFaults(dice: Dice, { every, most }: { every: number; most: number }): Faults {
  const happened: string[] = [];
  return {
    dice,
    happened,
    draw: (call) => {
      const oneIn = isRead(call) ? every * readsFor : every;
      return happened.length < most && dice.chance(1 / oneIn) ? dice.pick(kinds) : undefined;
    },
  };
}

export type Instance = {
  readonly deps: ServiceDeps;
  /** Called once, when it dies. */
  onDeath(then: () => void): void;
  /** Nothing that it still does arrives. */
  end(): void;
};

/** Most reads are looks for what is due, and find nothing. */
const readsFor = 20;

/** Milliseconds that any call takes at most, so that they overtake each other. */
const longestCall = 2;

const never = (): Promise<never> => new Promise(() => undefined);

/**
 * A process of its own, as the store and the bus see it: from its death on nothing that it does arrives, and what it was handed stays with it until the bus
 * gives it to another. While it stands still all its calls wait.
 */
export function mortalInstance(name: string, given: ServiceDeps, faults: Faults): Instance {
  const { dice } = faults;
  const left: Subscription[] = [];
  let isDead = false;
  let then = (): void => undefined;
  let standsUntil = 0;
  let ahead = 0;
  const end = (): void => {
    isDead = true;
    for (const subscription of left) void subscription.close();
  };
  const die = (): Promise<never> => {
    end();
    then();
    return never();
  };
  const awake = async (): Promise<void> => {
    while (!isDead && Date.now() < standsUntil) await delay(standsUntil - Date.now());
    if (isDead) await never();
  };
  const happen: Record<Kind, <V>(call: () => Promise<V>, half: (() => Promise<unknown>) | undefined) => Promise<V>> = {
    lost: async () => {
      throw unavailable('lost on the way');
    },
    unheard: async (call) => {
      await call();
      throw unavailable('the answer was lost');
    },
    late: async (call) => {
      await delay(dice.between(1, 20_000));
      return call();
    },
    slow: async (call) => {
      const answer = await call();
      await delay(dice.between(1, 20_000));
      return answer;
    },
    // The caller has given it up, and the server carries it out after all.
    ghost: async (call) => {
      void delay(dice.between(1, 20_000))
        .then(call)
        .catch(() => undefined);
      throw unavailable('given up');
    },
    // Nobody hears what became of the half, duplicates in it neither.
    torn: async (call, half) => {
      await (half ?? call)().catch(() => undefined);
      throw unavailable('in part');
    },
    twice: async (call) => {
      await call();
      return call();
    },
    dies: die,
    died: async (call) => {
      await call();
      return die();
    },
    stands: async (call) => {
      standsUntil = Date.now() + dice.between(1, 150) * 1_000;
      await awake();
      return call();
    },
    clock: (call) => {
      ahead = dice.between(-2_000, 2_000);
      return call();
    },
  };
  const pass: Pass = async (what, call, half) => {
    if (!isRead(what) || dice.chance(1 / 4)) await delay(dice.between(0, longestCall));
    await awake();
    const kind = faults.draw(what);
    // Nobody sends a write to the store twice.
    if (kind === undefined || (kind === 'twice' && !what.startsWith('publish'))) return answer(call());
    faults.happened.push(`${new Date().toISOString()} ${name} ${kind} at ${what}`);
    return answer(happen[kind](call, half));
  };
  /** A dead process hears no answer. */
  const answer = async <V>(asked: Promise<V>): Promise<V> => {
    try {
      return await asked;
    } finally {
      await awake();
    }
  };
  const deps: ServiceDeps = {
    ...given,
    bus: faultyBus(given.bus, { pass, awake, left: (one) => left.push(one) }),
    store: passingStore(given.store, pass),
    clock: { now: () => Date.now() + ahead },
  };
  return {
    deps,
    end,
    onDeath: (act) => {
      then = act;
    },
  };
}

function faultyBus(
  bus: Bus,
  { pass, awake, left }: { pass: Pass; awake: () => Promise<void>; left: (one: Subscription) => void },
): Bus {
  const kept = async (subscription: Promise<Subscription>): Promise<Subscription> => {
    const one = await subscription;
    left(one);
    return one;
  };
  return {
    publish: (messages) => {
      const all = Array.isArray(messages) ? messages : [messages];
      const half = () => bus.publish(all.slice(0, Math.floor(all.length / 2)));
      return pass(`publish ${all[0]?.type}`, () => bus.publish(messages), all.length > 1 ? half : undefined);
    },
    request: (type, input, options) => pass(`request ${type}`, () => bus.request(type, input, options)),
    subscribe: (type, group, handler, options) =>
      kept(
        bus.subscribe(
          type,
          group,
          async (messages) => {
            await awake();
            return handler(messages);
          },
          options,
        ),
      ),
    respond: (type, handler) =>
      kept(
        bus.respond(type, async (input) => {
          await awake();
          return handler(input);
        }),
      ),
    status: bus.status,
    close: async () => undefined,
  };
}
