import type { RequestType } from '@order-automation/contracts';
import { BusError } from './errors';
import { inProcessRequests } from './in-process-requests';
import { type BusLog, silent } from './log';
import { knownRequest } from './parse';
import type { Bus } from './port';

/**
 * A bus on which services of this thread answer each other without a detour over the other thread, whose bus `far` is; for everything else
 * it is that bus.
 */
export function nearBus(far: Bus, log: BusLog = silent): Bus {
  const near = inProcessRequests(log);
  const here = new Map<RequestType, number>();
  return {
    ...far,
    request: (type, input, options) => {
      const status = far.status();
      if (!status.ok) return Promise.reject(new BusError('closed', status.reason));
      return here.get(type) ? near.request(type, input, options) : far.request(type, input, options);
    },
    respond: async (type, handler, options) => {
      const there = await far.respond(type, handler, options);
      const leave = near.respond(knownRequest(type), handler as (input: unknown) => Promise<unknown>, options);
      here.set(type, (here.get(type) ?? 0) + 1);
      let left: Promise<unknown> | undefined;
      return {
        close: async () => {
          if (left === undefined) here.set(type, (here.get(type) ?? 1) - 1);
          left ??= Promise.all([leave(), there.close()]);
          await left;
        },
      };
    },
    close: async () => {
      await near.drained();
      await far.close();
    },
  };
}
