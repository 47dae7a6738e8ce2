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
  return {
    ...far,
    request: (type, input, options) => {
      const status = far.status();
      if (!status.ok) return Promise.reject(new BusError('closed', status.reason));
      return near.answers(type) ? near.request(type, input, options) : far.request(type, input, options);
    },
    respond: async (type, handler, options) => {
      const there = await far.respond(type, handler, options);
      const leave = near.respond(knownRequest(type), handler as (input: unknown) => Promise<unknown>, options);
      return {
        close: async () => {
          await Promise.all([leave(), there.close()]);
        },
      };
    },
    close: async () => {
      await near.drained();
      await far.close();
    },
  };
}
