import { joined } from '@order-automation/bus';
import type { Clock } from '@order-automation/service';
import type { WooCommerce } from './client';
import { ShopRefusal, ShopUnavailable } from './failures';
import { asFields, statusOf } from './order-mapping';

/** The statuses of orders that a shop has, each without `wc-`. */
export type Statuses = ReturnType<typeof shopStatuses>;

/** Milliseconds that the statuses of a shop are believed: a plugin that is switched on brings others. */
const believedFor = 5 * 60_000;
const draft = 'checkout-draft';
type Which = 'orders' | 'with trash' | 'all';

/**
 * `any` leaves out the statuses that a plugin registered with `exclude_from_search`, where orders are posts (developer.wordpress.org, WP_Query,
 * `post_status`): an order in such a status would be in no list. So all are asked for by name; `any` where the shop does not show them.
 */
export function shopStatuses(shop: WooCommerce, clock: Clock) {
  let known: { readonly slugs: readonly string[]; readonly at: number } | undefined;
  let unasked: number | null = null;
  const read = joined(async () => {
    const totals = await shop.page('wc/v3/reports/orders/totals', { _fields: 'slug' }).catch(async (error: unknown) => {
      // A shop that is away says nothing of its statuses; where other requests work, the report is slow alone: it counts every order.
      const isAway = !known && error instanceof ShopUnavailable && !error.isRefusal;
      const failure = isAway ? await shop.attributeFailure(504, 'the totals of orders') : null;
      if (failure instanceof ShopUnavailable) throw failure;
      return null;
    });
    const found = totals?.items.map((item) => String(asFields(item).slug ?? '')).filter((slug) => slug !== '');
    if (found?.some((slug) => !known?.slugs.includes(slug)))
      unasked = Math.min(unasked ?? clock.now(), known?.at ?? clock.now() - believedFor);
    known = { slugs: found ?? known?.slugs ?? [], at: clock.now() };
    return known.slugs;
  });
  const slugs = async (): Promise<readonly string[]> =>
    known && Math.abs(clock.now() - known.at) < believedFor ? known.slugs : read();
  const status = async (of: Which): Promise<string> => {
    const all = await slugs();
    if (all.length === 0) return 'any';
    const shown = of === 'all' ? all : all.filter((slug) => slug !== draft);
    return (of === 'orders' ? shown : [...shown, 'trash']).join(',');
  };
  return {
    /**
     * Asks for a list with every `status` but that of drafts, once more when the shop refuses one that it no longer has; `with trash` and `all`, drafts too, as
     * far as the shop shows its statuses.
     */
    listing: async <T>(ask: (status: string) => Promise<T>, of: Which = 'orders'): Promise<T> => {
      try {
        return await ask(await status(of));
      } catch (error) {
        if (!(error instanceof ShopRefusal)) throw error;
        known = undefined;
        return ask(await status(of));
      }
    },
    /** As the shop spells it: with capitals, or longer than its orders show it. */
    spelled: async (one: string): Promise<string> => (await slugs()).find((slug) => statusOf(slug) === one) ?? one,
    has: async (one: string): Promise<boolean> => {
      const isAmong = (all: readonly string[]) =>
        all.length === 0 || ['trash', draft, ...all.map(statusOf)].includes(one);
      return isAmong(await slugs()) || isAmong(await read());
    },
    /** Since when (milliseconds) orders may have been in a status that no list asked for, as a plugin brought it meanwhile; each time is answered once. */
    newSince: async (): Promise<number | null> => {
      await slugs();
      const since = unasked;
      unasked = null;
      return since;
    },
  };
}
