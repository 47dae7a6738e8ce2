import { delayAfter } from '@order-automation/bus';
import { type Relay, type RelayOptions, restingSweep, startRelay } from '@order-automation/service';

/** Milliseconds until evaluation and the log are handed again what they did not take. */
const handoverBackoff = { first: 5_000, longest: 300_000 } as const;

/** 5 s after the first time, doubling up to 5 min. */
export const dueAfter = (attempt: number, now: number): number => now + delayAfter(attempt + 1, handoverBackoff);

/** Milliseconds: more than anything is put off. */
export const longestPutOff = 2 * handoverBackoff.longest;

type Handover<Item> = { readonly due: RelayOptions<Item>['pending']; readonly again: RelayOptions<Item>['send'] };

/** Hands over again what was not confirmed. */
export const startHandover = <Item>(
  { due: pending, again: send }: Handover<Item>,
  { clock, log }: Pick<RelayOptions<Item>, 'clock' | 'log'>,
): Relay =>
  startRelay({ name: 'shop handover', pending, send, every: 1_000, longest: restingSweep, batch: 100, clock, log });
