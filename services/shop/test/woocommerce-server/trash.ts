import { dated, type Site } from './dates';
import type { Fields } from './replies';
import type { ShopOrder } from './shop-data';

type Shop = {
  readonly orders: ReadonlyMap<number, ShopOrder>;
  readonly setMeta: (order: ShopOrder, meta: Fields) => void;
  readonly happened: (topic: string, order: number) => void;
  readonly now: () => number;
  readonly site: Site;
};

const [statusKey, timeKey] = ['_wp_trash_meta_status', '_wp_trash_meta_time'];

export const trashOf = ({ orders, setMeta, happened, now, site }: Shop) => ({
  /** As a clerk moves an order to the trash: no list has it any more but that of the trash. */
  trash: (id: number): void => {
    const order = orders.get(id);
    if (!order) return;
    setMeta(order, { key: statusKey, value: `wc-${order.status}` });
    setMeta(order, { key: timeKey, value: String(Math.floor(now() / 1000)) });
    Object.assign(order, { status: 'trash' }, dated('date_modified', now(), site));
    happened('order.updated', id);
    happened('order.deleted', id);
  },
  /** Back to the status that it had, which is registered still. */
  restore: (id: number): void => {
    const order = orders.get(id);
    if (order?.status !== 'trash') return;
    const before = order.meta_data.find(({ key }) => key === statusKey)?.value;
    for (const key of [statusKey, timeKey]) setMeta(order, { key, value: null });
    Object.assign(order, { status: String(before).replace('wc-', '') }, dated('date_modified', now(), site));
    happened('order.updated', id);
    happened('order.restored', id);
  },
});
