import type { Occurrence } from '@order-automation/contracts';
import type { Fired } from './component';
import { textList } from './settings-schema';

/** Statuses carry the prefix `wc-` in search-content and nowhere else (decisions.md section 5). */
export const plainStatus = (status: string): string => status.trim().toLowerCase().replace(/^wc-/, '');

/** As sentences name it: the keys of plugins stay, under which the shop has names for them. */
export const statusName = (status: string): string => status.replace(/^on-hold$/, 'on hold');

/** Without prefixes, each once. */
export const plainStatuses = (statuses: readonly string[]): string[] => [...new Set(statuses.map(plainStatus))];

/** An order that comes back from the trash has the status that it had before: it enters none. */
export const entered = ({ from_status }: Pick<Occurrence, 'from_status'>, reason: string): Fired =>
  from_status === 'trash'
    ? { fires: false, reason: 'the order came back from the trash to the status that it had' }
    : { fires: true, reason };

export const statusList = (title: string, description: string, atLeast: number) =>
  textList(title, description, { atLeast, 'x-search-source': 'order_statuses', examples: [['wc-processing']] });
