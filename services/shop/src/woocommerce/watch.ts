import { type Cause, isoTime, newProcessId, type Order } from '@order-automation/contracts';
import type { ChangeSource } from '../orders/order-change';
import type { Query } from './client';
import type { WooCommerceDeps } from './deps';
import { differs, earlier, externalChangesOf, isOld, isStale, seenAs } from './external-changes';
import { nullIfUnreadable, ShopUnavailable, UnreadableOrder } from './failures';
import { keepPaid } from './late-checkouts';
import { stateFrom } from './order-mapping';
import { ordersAround, pageSize } from './paging';
import { unfinishedRefunds, withoutRefunds } from './unfinished-refunds';

/** Its `read` is not watched itself. */
type WatchDeps = Omit<WooCommerceDeps, 'keys' | 'missed' | 'factsOf' | 'journal' | 'steps' | 'watch'>;

type Look = (id: number) => Promise<void>;

export type By = { readonly cause: Cause; readonly source: ChangeSource };

/**
 * What others do to orders in WooCommerce, published once. The last state of each order is kept; a read that finds another one, a webhook that
 * makes us read, and a look at what was modified lately are hints. The truth is read, compared and kept while the order's lease is held.
 */
export type Watch = ReturnType<typeof watchOrders>;

/** Ids of orders count from 1: this lease is that of looking for changes. */
const watchLease = 0;
/** Milliseconds: orders that changed longer ago are first seen when they change again, and what that change was is not known. */
const lookBack = 90 * 24 * 60 * 60 * 1000;
/** Milliseconds that an order which cannot be read is looked for again; it keeps no other from being found. */
const lookAgainFor = 60 * 60 * 1000;
/** Orders that two pages have in common. */
const overlap = 10;
const overlapOfClocks = 60_000;
const withoutMeta = 'id,number,status,order_key,transaction_id,date_created_gmt,date_modified_gmt,refunds';
const fields = `${withoutMeta},meta_data`;

export function watchOrders(deps: WatchDeps) {
  const { shop, read, seen, leases, handover, telemetry, clock } = deps;
  const background = new Map<number, Promise<void>>();
  const noticing = new Set<Promise<void>>();
  /** By the ids of orders, as they were read last under their lease: refunds that are published when they are done. */
  const unfinished = new Map<number, ReadonlySet<unknown>>();
  let since: string | undefined;
  /** Since when this installation watches: no other has the same. */
  const sinceWhen = async (): Promise<string> => (since ??= (await progressOf(deps)).since);

  /**
   * Publishes what others changed of an order that was read under its lease, as done in WooCommerce or by somebody here. Resolves with the order, which is
   * another one where a checkout took back what its payment had made of it (late-checkouts.ts).
   */
  const publishExternalChanges = async (shown: Order, by?: By): Promise<Order> => {
    const [before = null] = await seen.byIds([shown.id]);
    unfinished.delete(shown.id);
    if (!differs(before, shown)) return shown;
    const order = by ? shown : await keepPaid(before, shown, shop);
    const at = isoTime(clock.now());
    const { cause, source } = by ?? inShop(clock.now());
    const open = by ? new Set() : await unfinishedRefunds(before, order, { shop, now: clock.now() });
    if (open.size > 0) unfinished.set(order.id, open);
    const told = withoutRefunds(order, open);
    for (const change of externalChangesOf(before, told, { since: await sinceWhen(), at, cause }))
      await handover.add({ _id: change.change_id, order, result: null, change, source });
    await seen.put(before, seenAs(told, before, clock.now()));
    return order;
  };

  const look: Look = (id) =>
    leases.holding(id, async () => {
      const order = await read.byId(id);
      if (order) await publishExternalChanges(order);
    });

  const lookSoon = (id: number): void => {
    if (background.has(id)) return;
    const task = look(id)
      .catch((error: unknown) => telemetry.notLooked(id, error))
      .finally(() => background.delete(id));
    background.set(id, task);
  };

  return {
    sinceWhen,
    publishExternalChanges,
    /**
     * The order as a step has just made it, under its lease: it publishes what it changed. `isRead`: it wrote nothing of the order itself, which is as it was
     * read before, perhaps from a cache.
     */
    accept: async (made: Order, isRead: boolean): Promise<void> => {
      const order = withoutRefunds(made, unfinished.get(made.id));
      const [before = null] = await seen.byIds([order.id]);
      const old = isRead && before && isStale(before, order) ? { ...before, rev: before.rev + 1 } : null;
      await seen.put(before, { ...(old ?? seenAs(order, before, clock.now())), steps: (before?.steps ?? 0) + 1 });
    },
    /** Orders as they were read: those that differ are looked at in the background. */
    notice: (orders: readonly Order[]): void => {
      const task: Promise<void> = seen
        .byIds(orders.map(({ id }) => id))
        .then((documents) => {
          const known = new Map(documents.map((document) => [document._id, document]));
          for (const order of orders) if (differs(known.get(order.id) ?? null, order)) lookSoon(order.id);
        })
        .catch((error: unknown) => telemetry.notLooked(null, error))
        .finally(() => noticing.delete(task));
      noticing.add(task);
    },
    /** Looks for what was modified since the last time, unless another instance does, and at refunds: WooCommerce 6.6 touches no order when one is done. */
    catchUp: async (): Promise<void> => {
      for (const id of unfinished.keys()) lookSoon(id);
      await leases
        .holding(watchLease, ({ renew }) => catchUp(deps, look, renew))
        .catch((error: unknown) => {
          // The next look goes on from where this one was.
          if (!(error instanceof ShopUnavailable)) throw error;
        });
    },
    /** Resolves when nothing is in flight. */
    idle: async (): Promise<void> => {
      await Promise.all(noticing);
      await Promise.all(background.values());
    },
  };
}

const inShop = (now: number): By => ({
  cause: { process_id: newProcessId(now), depth: 0, author: 'WooCommerce' },
  source: 'system',
});

async function progressOf({ seen, clock }: Pick<WatchDeps, 'seen' | 'clock'>) {
  const known = await seen.progress();
  if (known) return known;
  const now = clock.now();
  const [since, modified] = [isoTime(now), isoTime(now - lookBack)];
  await seen.begin(since, modified);
  return (await seen.progress()) ?? { since, modified };
}

/**
 * From the oldest modification on: what changes meanwhile moves to the end. Where more than a page was modified, or one was torn, all that was modified until
 * its end is read: orders that WordPress keeps among its posts are sorted by the clock of the site, which is put back in autumn.
 */
async function catchUp(deps: WatchDeps, look: Look, renew: () => Promise<void>): Promise<void> {
  const { seen } = deps;
  const { since, modified: reached } = await progressOf(deps);
  const unasked = await deps.statuses.newSince();
  const modified = unasked === null ? reached : earlier(reached, before(isoTime(unasked), overlapOfClocks));
  if (modified !== reached) await seen.advance(since, modified);
  // An order may have a time that is still to come: what changes until then is not passed over.
  const now = isoTime(deps.clock.now());
  const unread: string[] = [];
  for (let after = earlier(modified, now); ; ) {
    const span = { modified_after: inUtc(after) };
    const lookAt = (query: Query) => renew().then(() => lookAtPage(deps, { ...query, ...span }, since, unread, look));
    const { states, isFull, isTorn } = await lookAt({ orderby: 'modified' });
    const latest = earlier(states.map((state) => state.date_modified).reduce(later, after), now);
    const isPart = isFull && latest !== now && latest !== after;
    if (isFull || isTorn) await lookUntil(isPart ? { modified_before: inUtc(before(latest, -1_000)) } : {}, lookAt);
    const next = before(latest, 1_000);
    if (next > after) await seen.advance(since, [next, ...unread.map((time) => before(time, 1_000))].reduce(earlier));
    if (!isPart) return;
    after = next > after ? next : latest;
  }
}

/**
 * Sorted by their ids: MySQL gives rows of the same time another order on each page (dev.mysql.com, LIMIT Query Optimization). Pages overlap: it begins again
 * where more were changed meanwhile, and left the list, than two have in common.
 */
async function lookUntil(end: Query, lookAt: (query: Query) => ReturnType<typeof lookAtPage>): Promise<void> {
  let [ofPageBefore, restarts] = [new Set<number>(), 5];
  for (let offset = 0; ; ) {
    const { states, isFull } = await lookAt({ ...end, orderby: 'id', offset });
    const hasGap = offset > 0 && states[0] !== undefined && !ofPageBefore.has(states[0].id);
    ofPageBefore = new Set(states.map(({ id }) => id));
    if (hasGap && restarts-- > 0) offset = 0;
    else if (isFull) offset += pageSize - overlap;
    else return;
  }
}

const later = (one: string, other: string): string => (Date.parse(one) < Date.parse(other) ? other : one);

/** WooCommerce counts in seconds: others may have changed within the last one. */
const before = (time: string, milliseconds: number): string => isoTime(Date.parse(time) - milliseconds);

/** With its `Z`, WordPress would move the time by the zone of the site. */
export const inUtc = (time: string): string => time.slice(0, 19);

/** Looks at the orders of a page that have changed; `unread` gets when those were modified that the shop could not show, and are worth another look. */
async function lookAtPage(deps: WatchDeps, query: Query, since: string, unread: string[], look: Look) {
  const { shop, read, seen, statuses, telemetry, clock } = deps;
  const part = { order: 'asc', dates_are_gmt: 'true', per_page: pageSize, offset: 0, ...query };
  const ask = (_fields: string) =>
    statuses.listing((status) => ordersAround(shop, { ...part, status, _fields }), 'with trash');
  const page = await ask(fields).catch(nullIfUnreadable);
  const { items, isTorn = false } = page ?? (await ask(withoutMeta));
  const states = items.flatMap((item) => stateFrom(item) ?? []);
  const known = new Map((await seen.byIds(states.map(({ id }) => id))).map((document) => [document._id, document]));
  // Without their meta fields it cannot be told which of them have changed.
  const changed = states.filter((state) => page === null || differs(known.get(state.id) ?? null, state));
  const old = new Set(changed.filter((state) => page !== null && !known.has(state.id) && isOld(state, since)));
  await read.remember([...old]);
  await seen.addNew([...old].map((state) => seenAs(state, null, clock.now())));
  // One request reads them all, as they are looked at at once.
  const looks = changed
    .filter((state) => !old.has(state))
    .map(({ id, date_modified }) =>
      look(id).catch((error: unknown) => {
        if (error instanceof ShopUnavailable) throw error;
        if (error instanceof UnreadableOrder) return;
        telemetry.notLooked(id, error);
        if (clock.now() - Date.parse(date_modified) < lookAgainFor) unread.push(date_modified);
      }),
    );
  await Promise.all(looks);
  return { states, isFull: items.length === pageSize, isTorn };
}
