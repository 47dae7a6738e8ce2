import type { Bus } from '@order-automation/bus';
import { unavailable } from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import { isRead, passingStore } from './passing-store';

/**
 * How an instance ends: at its nth write or message, which arrived or not. `dies`: nothing that it does later arrives. `stands`: it waits there,
 * as a virtual machine that was paused, and goes on when it is let. `fails`: that one call fails, as when a store or a service is unavailable
 * for a moment, and it goes on at once; reads are counted too.
 */
export type Death =
  | { readonly kind: 'never'; readonly at: 0 }
  | { readonly kind: 'dies' | 'stands' | 'fails'; readonly at: number; readonly arrived: boolean };

/** The bus and the store of an instance that ends as said. Steps are counted from its first event on. */
export function mortal({ bus, store, ...rest }: ServiceDeps, death: Death) {
  let steps = 0;
  let begun = false;
  let ended = false;
  let inFlight = 0;
  let goOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const pass = async <V>(call: () => Promise<V>, counts: boolean): Promise<V> => {
    inFlight += 1;
    try {
      if (death.kind === 'fails') return await failing(call);
      if (ended) {
        if (death.kind === 'dies') throw unavailable('a dead process');
        await gate;
        return await call();
      }
      if (!counts || !begun) return await call();
      steps += 1;
      if (death.kind === 'never' || steps !== death.at) return await call();
      ended = true;
      const answer = death.arrived ? await call() : undefined;
      if (death.kind === 'dies') throw unavailable('a dead process');
      await gate;
      return death.arrived ? (answer as V) : await call();
    } finally {
      inFlight -= 1;
    }
  };
  const failing = async <V>(call: () => Promise<V>): Promise<V> => {
    if (!begun) return call();
    steps += 1;
    if (ended || steps !== death.at) return call();
    ended = true;
    if ('arrived' in death && death.arrived) await call();
    throw unavailable('for a moment');
  };
  return {
    deps: {
      ...rest,
      bus: mortalBus(bus, pass, () => {
        begun = true;
      }),
      store: passingStore(store, (what, call) => pass(call, !isRead(what))),
    } as ServiceDeps,
    steps: () => steps,
    hasEnded: () => ended,
    goOn: () => goOn(),
    /** Resolves when nothing of it is in flight for a moment. */
    idle: async (): Promise<void> => {
      for (let quiet = 0; quiet < 20; quiet = inFlight === 0 ? quiet + 1 : 0)
        await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}

type Pass = <V>(call: () => Promise<V>, counts: boolean) => Promise<V>;

function mortalBus(bus: Bus, pass: Pass, onEvent: () => void): Bus {
  return {
    ...bus,
    publish: (messages) => pass(() => bus.publish(messages), true),
    request: (type, input, options) => pass(() => bus.request(type, input, options), /record|apply/.test(type)),
    subscribe: (type, group, handler, options) =>
      bus.subscribe(
        type,
        group,
        (messages) => {
          if (type === 'intake.event-received.v1') onEvent();
          return handler(messages);
        },
        options,
      ),
    close: async () => undefined,
  };
}
