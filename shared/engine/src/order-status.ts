import { textList } from './settings-schema';

/** Statuses carry the prefix `wc-` in search-content and nowhere else (decisions.md section 5). */
export const plainStatus = (status: string): string => status.trim().toLowerCase().replace(/^wc-/, '');

/** Without prefixes, each once. */
export const plainStatuses = (statuses: readonly string[]): string[] => [...new Set(statuses.map(plainStatus))];

export const statusList = (title: string, description: string, atLeast: number) =>
  textList(title, description, { atLeast, 'x-search-source': 'order_statuses', examples: [['wc-processing']] });

export { awaitingPayment } from '@order-automation/contracts';
