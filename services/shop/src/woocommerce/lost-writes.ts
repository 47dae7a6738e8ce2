import { setTimeout as delay } from 'node:timers/promises';
import type { WooCommerce } from './client';
import { LostWrite } from './failures';
import { jittered } from './shop-health';

export type Write<Result> = {
  readonly send: () => Promise<Result>;
  /** What the shop shows of it; null when it has not happened. `answered`: the status of the failure that was answered. */
  readonly find: (answered: number | null) => Promise<Result | null>;
  /** For the message of a failure: `PUT wc/v3/orders/17`. */
  readonly what: string;
  /** Milliseconds for which a write of the same may happen yet that an earlier caller has lost. */
  readonly unsettled?: number;
};

const maxTries = 4;
/** Milliseconds after which it is not sent again. */
const maxTime = 8_000;
/** Milliseconds before the second try, doubling. */
const firstDelay = 200;

/**
 * Writes, and when the answer is lost, looks what has become of the write: it is sent again only when it did not happen and cannot happen any more.
 * Rejects with LostWrite when not even that can be found out.
 */
export async function confirmedWrite<Result>(
  shop: Pick<WooCommerce, 'attributeFailure'>,
  write: Write<Result>,
): Promise<Result> {
  const { send, find, what, unsettled = 0 } = write;
  if (unsettled > 0) {
    const found = await lookBack(() => find(null), unsettled);
    if (found !== null) return found;
  }
  const started = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof LostWrite)) throw error;
      const found = await lookBack(() => find(error.answered), error.unsettled).catch(() => {
        throw error;
      });
      if (found !== null) return found;
      if (tries >= maxTries || performance.now() - started > maxTime)
        throw error.answered === null ? error : await shop.attributeFailure(error.answered, what);
      await delay(jittered(firstDelay * 2 ** (tries - 1)));
    }
  }
}

/** Looks at once, and once more when the write has settled. */
async function lookBack<Result>(find: () => Promise<Result | null>, unsettled: number): Promise<Result | null> {
  const found = await find();
  if (found !== null || unsettled === 0) return found;
  await delay(unsettled);
  return find();
}
